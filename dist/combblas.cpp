/* SPDX-License-Identifier: Apache-2.0
 *
 * CombBLAS behind combblas.h. A block by rows is CombBLAS's block by columns of the transposed
 * matrix, so C = A * B is computed as C' = B' * A'; the semirings here do not mind the order.
 *
 * Local indices and pointers are int32_t, so that ir is the `i` of gbl_Arrays; a block has at most
 * 2^31 - 1 entries.
 */
#include <CombBLAS/CombBLAS.h>

#include "combblas.h"

#include <cstdio>
#include <new>

struct gb_CombGrid {
    std::shared_ptr<combblas::CommGrid> grid;
};

namespace {

template <class T> using Block = combblas::SpDCCols<int32_t, T>;
template <class T> using Tuples = combblas::SpTuples<int32_t, T>;
template <class T> using Global = combblas::SpParMat<int32_t, T, Block<T>>;

struct MinPlus {
    static double id() {
        return std::numeric_limits<double>::infinity();
    }
    static bool returnedSAID() {
        return false;
    }
    static double add(double x, double y) {
        return y < x ? y : x;
    }
    static double multiply(double x, double y) {
        return x + y;
    }
};
struct LorLand {
    static bool id() {
        return false;
    }
    static bool returnedSAID() {
        return false;
    }
    static bool add(bool x, bool y) {
        return x || y;
    }
    static bool multiply(bool x, bool y) {
        return x && y;
    }
};
struct PlusPair {
    static int64_t id() {
        return 0;
    }
    static bool returnedSAID() {
        return false;
    }
    static int64_t add(int64_t x, int64_t y) {
        return x + y;
    }
    static int64_t multiply(int64_t, int64_t) {
        return 1;
    }
};
typedef combblas::PlusTimesSRing<double, double> PlusTimes;

/* A block that reads the arrays of another one. CombBLAS 1.6 frees arrays that are not its own, so
 * they are taken back before it can. */
template <class T> class Borrowed {
  public:
    explicit Borrowed(const gb_CombBlock &from) : block(new Block<T>()) {
        const gbl_Arrays &a = *from.arrays;
        const uint64_t n = a.p ? a.p[from.nrows] : 0;
        for (uint64_t k = 0; k < from.nrows && n > 0; k++) {
            if (a.p[k + 1] == a.p[k]) continue;
            jc.push_back((int32_t)k);
            cp.push_back((int32_t)a.p[k]);
        }
        cp.push_back((int32_t)n);
        if (a.iso && n > 0) {
            values.reset(new T[n]);
            std::fill_n(values.get(), n, *(const T *)a.x);
        }
        block->CreateImpl(cp.data(), jc.data(), (int32_t *)a.i, values ? values.get() : (T *)a.x,
                          (int32_t)n, (int32_t)jc.size(), (int32_t)from.ncols, (int32_t)from.nrows);
    }
    ~Borrowed() {
        take_back();
        delete block;
    }
    Borrowed(const Borrowed &) = delete;
    Borrowed &operator=(const Borrowed &) = delete;
    Block<T> &operator*() {
        return *block;
    }
    /* To an object that deletes it; the arrays stay here. */
    Block<T> *hand_over() {
        Block<T> *given = block;
        block = nullptr;
        return given;
    }
    static void forget_arrays(Block<T> &b) {
        if (b.getnnz() == 0) return;
        b.GetDCSC()->nz = 0;
        b.GetDCSC()->nzc = 0;
    }

  private:
    void take_back() {
        if (block) forget_arrays(*block);
    }
    Block<T> *block;
    std::vector<int32_t> jc, cp;
    std::unique_ptr<T[]> values;
};

gbl_Info no_memory() {
    return gbl_fail(GBL_OUT_OF_MEMORY, NULL, "CombBLAS: not enough memory for a product");
}

template <class T> struct TypeOf;
template <> struct TypeOf<double> {
    static gbl_Type get() {
        return GBL_FP64;
    }
};
template <> struct TypeOf<bool> {
    static gbl_Type get() {
        return GBL_BOOL;
    }
};
template <> struct TypeOf<int64_t> {
    static gbl_Type get() {
        return GBL_INT64;
    }
};

/* Entries in the order of rows, each with place(k, row, column, value). */
template <class T, class Entry>
gbl_Info to_matrix(gbl_Matrix *A, uint64_t nrows, uint64_t ncols, uint64_t n, Entry entry) {
    gbl_Arrays a = {(uint64_t *)gbl_Memory_malloc((nrows + 1) * sizeof(uint64_t)),
                    (uint32_t *)gbl_Memory_malloc((n + 1) * sizeof(uint32_t)),
                    gbl_Memory_malloc((n + 1) * sizeof(T)), false};
    gbl_Info info = GBL_OUT_OF_MEMORY;
    if (a.p && a.i && a.x) {
        std::fill_n(a.p, nrows + 1, 0);
        for (uint64_t k = 0; k < n; k++) {
            uint64_t row = 0;
            entry(k, row, a.i[k], ((T *)a.x)[k]);
            a.p[row + 1]++;
        }
        for (uint64_t row = 0; row < nrows; row++) a.p[row + 1] += a.p[row];
        info = gbl_Matrix_moveIn(A, TypeOf<T>::get(), nrows, ncols, GBL_CSR_FORMAT, &a);
    } else {
        no_memory();
    }
    gbl_Memory_free(a.p);
    gbl_Memory_free(a.i);
    gbl_Memory_free(a.x);
    return info;
}

} // namespace

/* The products of a phase, of any semiring. */
struct gb_CombPhase {
    virtual ~gb_CombPhase() {
    }
    virtual void multiply(const gb_CombBlock &a, const gb_CombBlock &b) = 0;
    virtual gbl_Info merge(gbl_Matrix *T) = 0;
};

namespace {

template <class Ring, class T> struct Phase : gb_CombPhase {
    std::vector<Tuples<T> *> products;
    uint64_t nrows = 0, ncols = 0;

    ~Phase() {
        for (Tuples<T> *product : products) delete product;
    }
    void multiply(const gb_CombBlock &a, const gb_CombBlock &b) override {
        Borrowed<T> first(b), second(a);
        nrows = a.nrows;
        ncols = b.ncols;
        products.reserve(products.size() + 1);
        products.push_back(combblas::LocalSpGEMM<Ring, T>(*first, *second, false, false));
    }
    gbl_Info merge(gbl_Matrix *T_) override {
        std::unique_ptr<Tuples<T>> sum(
            combblas::MultiwayMerge<Ring>(products, (int32_t)ncols, (int32_t)nrows, true));
        products.clear();
        const std::tuple<int32_t, int32_t, T> *t = sum->tuples;
        return to_matrix<T>(T_, nrows, ncols, (uint64_t)sum->getnnz(),
                            [t](uint64_t k, uint64_t &row, uint32_t &col, T &x) {
                                row = (uint64_t)std::get<1>(t[k]);
                                col = (uint32_t)std::get<0>(t[k]);
                                x = std::get<2>(t[k]);
                            });
    }
};

template <class Ring, class T>
gbl_Info whole(gbl_Matrix *out, gb_CombGrid *grid, const gb_CombBlock &a, const gb_CombBlock &b) {
    Borrowed<T> first(b), second(a);
    Block<T> *of_first = first.hand_over(), *of_second = second.hand_over();
    Global<T> B(of_first, grid->grid), A(of_second, grid->grid);
    gbl_Info info;
    {
        Global<T> C = combblas::Mult_AnXBn_Synch<Ring, T, Block<T>>(B, A);
        const Block<T> &block = C.seq();
        const combblas::Dcsc<int32_t, T> *dcsc = block.getnnz() ? block.GetDCSC() : nullptr;
        int32_t column = 0;
        info = to_matrix<T>(out, a.nrows, b.ncols, (uint64_t)block.getnnz(),
                            [=](uint64_t k, uint64_t &row, uint32_t &col, T &x) mutable {
                                while ((uint64_t)dcsc->cp[column + 1] <= k) column++;
                                row = (uint64_t)dcsc->jc[column];
                                col = (uint32_t)dcsc->ir[k];
                                x = dcsc->numx[k];
                            });
    }
    Borrowed<T>::forget_arrays(*of_first);
    Borrowed<T>::forget_arrays(*of_second);
    return info;
}

struct Known {
    const gbl_Semiring *ring;
    const gbl_Type *type;
    gb_CombPhase *(*phase)();
    gbl_Info (*whole)(gbl_Matrix *, gb_CombGrid *, const gb_CombBlock &, const gb_CombBlock &);
};
template <class Ring, class T> gb_CombPhase *new_phase() {
    return new Phase<Ring, T>();
}
const Known known[] = {
    {&GBL_PLUS_TIMES_SEMIRING_FP64, &GBL_FP64, new_phase<PlusTimes, double>,
     whole<PlusTimes, double>},
    {&GBL_MIN_PLUS_SEMIRING_FP64, &GBL_FP64, new_phase<MinPlus, double>, whole<MinPlus, double>},
    {&GBL_LOR_LAND_SEMIRING_BOOL, &GBL_BOOL, new_phase<LorLand, bool>, whole<LorLand, bool>},
    {&GBL_PLUS_PAIR_SEMIRING_INT64, &GBL_INT64, new_phase<PlusPair, int64_t>,
     whole<PlusPair, int64_t>},
};

const Known *find(gbl_Semiring ring) {
    for (const Known &k : known)
        if (*k.ring == ring) return &k;
    return nullptr;
}

} // namespace

bool gb_combblas_knows(gbl_Semiring ring, gbl_Type *type) {
    const Known *k = find(ring);
    if (k) *type = *k->type;
    return k != nullptr;
}

gb_CombGrid *gb_combblas_grid(MPI_Comm comm, int side, MPI_Comm *across, MPI_Comm *down) {
    try {
        gb_CombGrid *g = new gb_CombGrid;
        g->grid.reset(new combblas::CommGrid(comm, side, side));
        *across = g->grid->GetRowWorld();
        *down = g->grid->GetColWorld();
        return g;
    } catch (const std::bad_alloc &) { /* others may wait for this process */
        std::fprintf(stderr, "gblite_dist: no memory for a grid of processes\n");
        MPI_Abort(comm, 1);
        return nullptr;
    }
}

void gb_combblas_grid_free(gb_CombGrid *grid) {
    delete grid;
}

gbl_Info gb_combblas_multiply(gb_CombPhase **phase, gbl_Semiring ring, const gb_CombBlock *a,
                              const gb_CombBlock *b) {
    try {
        if (!*phase) *phase = find(ring)->phase();
        (*phase)->multiply(*a, *b);
        return GBL_SUCCESS;
    } catch (const std::bad_alloc &) {
        return no_memory();
    }
}

gbl_Info gb_combblas_merge(gbl_Matrix *T, gb_CombPhase **phase) {
    gbl_Info info;
    try {
        info = (*phase)->merge(T);
    } catch (const std::bad_alloc &) {
        info = no_memory();
    }
    gb_combblas_drop(phase);
    return info;
}

void gb_combblas_drop(gb_CombPhase **phase) {
    delete *phase;
    *phase = nullptr;
}

gbl_Info gb_combblas_summa(gbl_Matrix *T, gbl_Semiring ring, gb_CombGrid *grid,
                           const gb_CombBlock *a, const gb_CombBlock *b) {
    try {
        return find(ring)->whole(T, grid, *a, *b);
    } catch (const std::bad_alloc &) {
        std::cerr << "gblite_dist: CombBLAS: not enough memory for a product" << std::endl;
        MPI_Abort(MPI_COMM_WORLD, 1);
        return GBL_OUT_OF_MEMORY;
    }
}
