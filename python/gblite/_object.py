# SPDX-License-Identifier: Apache-2.0
"""What matrices and vectors share: life, descriptors, masks, outputs, indices."""
import operator

import numpy as np

from gblite import algebra
from gblite._arithmetic import Arithmetic, operand_of_scipy
from gblite._compare import Comparisons
from gblite._library import (BOOL, INT64, TYPES, DomainError, InvalidIndex, InvalidValue,
                             ShapeError, check, ffi, lib, pointer, promoted, type_of, value_of)
from gblite._ufuncs import Ufuncs

_descriptors = {}


def _methods():
    names, name, value = {}, ffi.new("char **"), ffi.new("gbl_Desc_Value *")
    while lib.gbl_mxm_method(name, value, len(names)) == lib.GBL_SUCCESS:
        names[ffi.string(name[0]).decode()] = value[0]
    names["push"], names["pull"] = lib.GBL_METHOD_PUSH, lib.GBL_METHOD_PULL
    return names


METHODS = _methods()


def descriptor(key, method=None):
    """The descriptor of a key like "RSCT0T1": replace, structure and complement of the mask,
    transposed inputs; and a method of mxm by name."""
    if not key and method is None:
        return ffi.NULL
    found = _descriptors.get((key, method))
    if found is None:
        if method is None:
            found = getattr(lib, "GBL_DESC_" + key)
        else:
            found = _with_method(key, method)
        _descriptors[key, method] = found
    return found


def _with_method(key, method):
    if method not in METHODS:
        raise InvalidValue(f"there is no method {method!r}; choose of {', '.join(METHODS)}")
    box = ffi.new("gbl_Descriptor *")
    check(lib.gbl_Descriptor_new(box))
    fields = [(lib.GBL_METHOD, METHODS[method])]
    fields += [(lib.GBL_OUTP, lib.GBL_REPLACE)] if "R" in key else []
    fields += [(lib.GBL_MASK, lib.GBL_STRUCTURE)] if "S" in key else []
    fields += [(lib.GBL_MASK, lib.GBL_COMP)] if "C" in key else []
    fields += [(lib.GBL_INP0, lib.GBL_TRAN)] if "T0" in key else []
    fields += [(lib.GBL_INP1, lib.GBL_TRAN)] if "T1" in key else []
    for field, value in fields:
        check(lib.gbl_Descriptor_set(box[0], field, value))
    return box[0]


class Operations(Arithmetic, Comparisons, Ufuncs):
    """Operations that matrices, lazily transposed matrices and vectors have in common. Each returns
    a new object or, with out=, that one; the keyword arguments of all of them: see Target."""

    __slots__ = ()
    __hash__ = None
    _kind = None
    _transposed = False

    @classmethod
    def _function(cls, name):
        return getattr(lib, f"gbl_{cls._kind}_{name}", None)

    def ewise_add(self, other, op="plus", **to):
        """op on the union of the patterns; an entry that only one has is copied."""
        return self._ewise("eWiseAdd", other, op, to)

    def ewise_mult(self, other, op="times", **to):
        """op on the intersection of the patterns."""
        return self._ewise("eWiseMult", other, op, to)

    def _ewise(self, call, other, op, to):
        t0, left = _source(self)
        t1, right = _source(self._coerce(other))
        handle, result = algebra.binary(op, promoted(self.type, right.type))
        target = Target(self, result, self.shape, to, "T0" * t0 + "T1" * t1)
        call = self._function(f"{call}_BinaryOp")
        check(call(*target.arguments, handle, left._handle, right._handle, target.descriptor))
        return target.out

    def _merged(self, other, op):
        return None  # no kernel takes them

    def _stretched(self, other):
        two = isinstance(other, Operations) and len(other.shape) == 2
        return other._stretched(self) if two else None

    def _union(self, other, op):
        """op on the union of the patterns, 0 standing for what is not stored."""
        t0, left = _source(self)
        t1, right = _source(other)
        of = promoted(left.type, right.type)
        handle, result = algebra.binary(op, of)
        target = Target(self, result, self.shape, {}, "T0" * t0 + "T1" * t1)
        call, zero = self._function("eWiseUnion"), algebra.zero(of)
        check(call(*target.arguments, handle, left._handle, zero, right._handle, zero,
                   target.descriptor))
        return target.out

    def apply(self, op, left=None, right=None, **to):
        """A unary operator on every entry ("abs", "neg", "inv" ...), a binary one with one side
        bound to a number (``apply("plus", right=2)``), or "rowindex", "colindex", "diagindex"."""
        t0, source = _source(self)
        name = str(op).lower()
        if left is not None and right is not None:
            raise InvalidValue("left and right: one side of the operator is the entry")
        if left is not None or right is not None:
            of = _type_with(self.type, right if left is None else left)
            handle, result = algebra.binary(op, of)
            target = Target(self, result, self.shape, to, "T0" * t0)
            if left is None:
                call = self._function(f"apply_BinaryOp2nd_{of.name}")
                operands = (source._handle, number(right, of))
            else:
                call = self._function(f"apply_BinaryOp1st_{of.name}")
                operands = (number(left, of), source._handle)
            check(call(*target.arguments, handle, *operands, target.descriptor))
        elif name.endswith("index"):
            handle, _ = algebra.index_unary(op, self.type)
            target = Target(self, INT64, self.shape, to, "T0" * t0)
            call = self._function("apply_IndexOp_INT64")
            check(call(*target.arguments, handle, source._handle, 0, target.descriptor))
        else:
            handle, result = algebra.unary(op, self.type)
            target = Target(self, result, self.shape, to, "T0" * t0)
            call = self._function("apply")
            check(call(*target.arguments, handle, source._handle, target.descriptor))
        return target.out

    def select(self, op, value=0, **to):
        """The entries for which op holds: "tril", "triu", "diag", "offdiag" (value: the diagonal),
        "rowle", "colgt" ..., or "==", "!=", "<", "<=", ">", ">=" against value."""
        t0, source = _source(self)
        handle, y = algebra.index_unary(op, self.type)
        target = Target(self, self.type, self.shape, to, "T0" * t0)
        call = self._function(f"select_{y.name}")
        check(call(*target.arguments, handle, source._handle, number(value, y), target.descriptor))
        return target.out

    def reduce(self, op="plus", dtype=None):
        """All entries folded by a monoid, as a Python number; its identity without entries."""
        _, source = _source(self)
        # Sums of whole numbers get 64 bits, as in numpy.
        of = self.type if dtype is None else type_of(dtype)
        if dtype is None and algebra.is_sum(op):
            of = sum_type(of)
        x = ffi.new(of.c_name + " *")
        call = self._function(f"reduce_{of.name}")
        check(call(x, ffi.NULL, algebra.monoid(op, of), source._handle, ffi.NULL))
        return value_of(x)

    def to_masked(self):
        """A dense numpy.ma array, masked where there is no entry."""
        present = self.apply("one").astype(bool).to_numpy(False)
        return np.ma.MaskedArray(self.to_numpy(), ~present)

    def __array__(self, dtype=None, copy=None):
        held = operand_of_scipy(self)
        if held is not None:
            return held
        if copy is False:
            raise ValueError("a dense array of sparse values is always a copy")
        return np.asarray(self.to_numpy(), dtype)

    def __dlpack__(self, **options):
        return self.to_numpy().__dlpack__(**options)

    def __dlpack_device__(self):
        return 1, 0  # the memory of the CPU

    def astype(self, dtype):
        """The same entries with values of another type."""
        of = type_of(dtype)
        if of is self.type:
            return self.copy()
        t0, source = _source(self)
        target = Target(self, of, self.shape, {}, "T0" * t0)
        handle, _ = algebra.unary("identity", of)
        call = self._function("apply")
        check(call(*target.arguments, handle, source._handle, target.descriptor))
        return target.out

    def __bool__(self):
        if np.prod(self.shape, dtype=object) != 1:
            raise ValueError("the truth of a sparse object is not one value: use nvals, or isequal")
        return bool(self.nvals and self.reduce("any"))

    def isequal(self, other):
        """Whether dtype, shape, pattern and values are the same."""
        if self.dtype != other.dtype or self.shape != other.shape or self.nvals != other.nvals:
            return False
        return self.ewise_mult(other, "==").select("!=", 0).nvals == self.nvals


class Collection(Operations):
    """A matrix or vector of the library. Objects may be read by any number of threads; a thread
    that writes one must be the only one that uses it."""

    __slots__ = ("_box", "_handle", "type", "_shape", "_lent", "__weakref__")

    def __init__(self, box, type):
        self._box = box
        self._handle = box[0]
        self.type = type
        self._shape = None  # until somebody asks
        self._lent = None  # what keeps numpy arrays that the library reads in place

    def __del__(self):
        box = getattr(self, "_box", None)
        if box is not None and self._function("free") is not None:
            self._function("free")(box)
            self._handle = box[0]  # NULL: finalisers of others may still ask, as Python ends

    @property
    def dtype(self):
        """numpy's dtype of the values."""
        return self.type.dtype

    @property
    def nvals(self):
        """The number of entries."""
        n = ffi.new("gbl_Index *")
        check(self._function("nvals")(n, self._handle))
        return n[0]

    nnz = nvals

    def copy(self):
        """A copy of its own."""
        box = ffi.new(f"gbl_{self._kind} *")
        check(self._function("dup")(box, self._handle))
        return self._wrap(box, self.type)

    __copy__ = copy

    def __deepcopy__(self, memo):
        return self.copy()

    @classmethod
    def _wrap(cls, box, type):
        made = cls.__new__(cls)
        Collection.__init__(made, box, type)
        return made

    @classmethod
    def _wrap_kept(cls, box, type, kept):
        """Of what gblite.convert makes."""
        made = cls._wrap(box, type)
        made._lent = kept
        return made

    def clear(self):
        """Deletes all entries; shape and type stay."""
        check(self._function("clear")(self._handle))

    def wait(self):
        """Finishes what was put off: pending updates, content on a GPU."""
        check(self._function("wait")(self._handle, lib.GBL_MATERIALIZE))
        return self

    def explain(self):
        """How the product that last wrote this object was computed, as text: the method, why, what
        was measured, and what the others would have taken. None if no product did."""
        return self._explained(lib.gbl_Explanation_text)

    def _explained(self, write):
        how = ffi.new("gbl_Explanation *")
        how.size = ffi.sizeof("gbl_Explanation")
        info = self._function("explain")(how, self._handle)
        if info == lib.GBL_NO_VALUE:
            return None
        check(info)
        return explanation(how, write)


def sum_type(type):
    """The Type that sums of values of this one get."""
    if type.is_float:
        return type
    return TYPES[np.dtype("uint64" if type.name.startswith("U") else "int64")]


def product_type(left, right, semiring, dtype):
    """The Type in which two are multiplied: that of a Semiring, dtype, or what numpy promotes them
    to; sums of products of truth values count."""
    if dtype is not None or hasattr(semiring, "_handle"):
        return algebra.own_type(semiring, dtype)
    of = promoted(left, right)
    return INT64 if of is BOOL and algebra.is_sum(str(semiring).partition("_")[0]) else of


def filled(shape, fill, dtype):
    """A dense array of that number, of the dtype if that holds it."""
    if np.dtype(dtype).kind in "iub" and fill != 0:
        dtype = _type_with(type_of(dtype), fill).dtype
    # Pages of zeros come from the system when they are written.
    zero = isinstance(fill, int) and fill == 0
    return np.zeros(shape, dtype) if zero else np.full(shape, fill, dtype)


def _type_with(type, value):
    """The Type in which values of this one meet a number: this one, if it holds the number."""
    if isinstance(value, np.generic) and np.result_type(type.dtype, value) in TYPES:
        return TYPES[np.result_type(type.dtype, value)]
    if isinstance(value, (complex, np.complexfloating)):
        least = np.complex64 if type.is_float else np.complex128
        return type_of(np.result_type(type.dtype, least))
    if type.is_float:
        return type
    if isinstance(value, (float, np.floating)):
        return TYPES[np.dtype("float64")]
    if type is BOOL:
        return BOOL if isinstance(value, bool) else INT64
    if np.iinfo(type.dtype).min <= value <= np.iinfo(type.dtype).max:
        return type
    return type_of(np.result_type(type.dtype, np.min_scalar_type(value)))


def number(value, type):
    """A number as C takes it for values of this type; one that does not fit is refused."""
    value = value.item() if isinstance(value, (np.generic, np.ndarray)) else value
    if type.is_complex:
        return {"re": complex(value).real, "im": complex(value).imag}
    if isinstance(value, complex):
        raise DomainError(f"{value} is no value of {type.dtype}; use astype first")
    if type.is_float:
        return value
    if isinstance(value, float) and not value.is_integer():
        raise DomainError(f"{value} is no value of {type.dtype}; use astype first")
    value = int(value)
    if type.name == "BOOL":
        return bool(value)
    limits = np.iinfo(type.dtype)
    if not limits.min <= value <= limits.max:
        raise InvalidValue(f"{value} is not inside {type.dtype}")
    return value


def explanation(how, write):
    """The text that gbl_Explanation_text or _json makes of an explanation."""
    room = ffi.new("size_t *")
    check(write(ffi.NULL, room, how))
    text = ffi.new("char[]", room[0])
    check(write(text, room, how))
    return ffi.string(text).decode()


def _source(operand):
    """(whether it is lazily transposed, the object behind it)"""
    return (True, operand.base) if operand._transposed else (False, operand)


class Target:
    """Where a result goes, from the keyword arguments that all operations share:

    out         the object to be written; a new one without it
    mask        an object of the same shape; only positions where it has an entry that is not zero
                are written
    structure   ... where it has any entry
    complement  ... at all other positions
    accum       a binary operator that joins what out has with the result
    replace     entries of out outside the mask go
    """

    __slots__ = ("out", "mask", "arguments", "descriptor")
    _KEYS = {"out", "mask", "structure", "complement", "accum", "replace", "method"}

    def __init__(self, like, type, shape, to, inputs):
        if not to and not inputs:  # the usual call
            self.out = like._empty(type, shape)
            self.arguments = (self.out._handle, ffi.NULL, ffi.NULL)
            self.descriptor = ffi.NULL
            return
        if not self._KEYS.issuperset(to):
            raise TypeError(f"unexpected argument {sorted(set(to) - self._KEYS)[0]!r}; "
                            f"there are {', '.join(sorted(self._KEYS))}")
        out, mask, accum = to.get("out"), to.get("mask"), to.get("accum")
        self.out = like._empty(type, shape) if out is None else out
        key = inputs
        if len(to) > (out is not None):
            key = ("R" if to.get("replace") else "") + ("S" if to.get("structure") else "")
            key += ("C" if to.get("complement") else "") + inputs
        if mask is not None:
            mask = like._coerce(mask)
            mask = mask.copy() if mask._transposed else mask
        self.arguments = (
            self.out._handle,
            ffi.NULL if mask is None else mask._handle,
            ffi.NULL if accum is None else algebra.binary(accum, self.out.type)[0],
        )
        self.descriptor = descriptor(key, to.get("method"))
        self.mask = mask  # kept alive until the call is made


# -- indices --------------------------------------------------------------------------------------


class Places:
    """A list of indices as the library wants it: all, or numbers."""

    __slots__ = ("pointer", "count", "length", "array")

    def __init__(self, index, size):
        if isinstance(index, slice):
            start, stop, step = index.indices(size)
            if (start, stop, step) == (0, size, 1):
                self.array, self.pointer, self.count, self.length = None, lib.GBL_ALL, size, size
                return
            self.array = np.arange(start, stop, step).astype(np.uint64)
        else:
            self.array = _numbers(np.atleast_1d(index), size)
        self.pointer = pointer(self.array, "gbl_Index *")
        self.count = self.length = len(self.array)


def place(index, size):
    """One index, from the end if it is negative."""
    index = operator.index(index)
    if not -size <= index < size:
        raise InvalidIndex(f"index {index} is not inside a dimension of {size}")
    return index + size if index < 0 else index


def pair(key):
    """(rows, columns) of an index; one alone is that of rows."""
    if not isinstance(key, tuple):
        if isinstance(key, Operations):
            raise InvalidIndex('entries are chosen by select(">", x), or by mask= of an operation')
        key = (key, slice(None))
    key = tuple(slice(None) if index is Ellipsis else index for index in key)
    if len(key) != 2:
        raise InvalidIndex(f"a matrix has two indices, A[i, j], not {len(key)}")
    if all(isinstance(index, np.ndarray) and index.ndim == 2 for index in key):
        rows, columns = key  # of numpy.ix_
        if rows.shape[1] == columns.shape[0] == 1:
            return rows.ravel(), columns.ravel()
    return key


def is_number(index):
    """Whether an index is one number, not a list of them."""
    if isinstance(index, np.ndarray):
        return index.ndim == 0 and index.dtype.kind in "iu"
    return isinstance(index, (int, np.integer)) and not isinstance(index, bool)


def _numbers(index, size):
    if index.dtype == bool:
        if index.shape != (size,):
            raise InvalidIndex(f"a list of truth values must have {size} of them, not "
                               f"{index.shape}")
        return np.flatnonzero(index).astype(np.uint64)
    if index.ndim != 1 or (index.size > 0 and index.dtype.kind not in "iu"):
        raise InvalidIndex("an index is a number, a slice, or a list of numbers or truth values")
    wrong = (index < -size) | (index >= size) if index.dtype.kind == "i" else index >= size
    if wrong.any():
        raise InvalidIndex(f"index {index[wrong][0]} is not inside a dimension of {size}")
    index = index.astype(np.int64)
    return np.where(index < 0, index + size, index).astype(np.uint64)
