/* SPDX-License-Identifier: Apache-2.0
 *
 * Pointers into shared memory, for which the library writes gb_shared<T> (under nvcc: T *). Every
 * access is checked against the array's bounds and against the history of its bytes (history.h).
 */
#pragma once

#include <cstring>

#include "block.h"

template <class T> class gb_shared;

/* What p[k] is: reads and writes are seen. */
template <class T> class gb_shared_place {
  public:
    gb_shared_place(size_t offset, long long index, size_t length)
        : offset_(offset), index_(index), length_(length) {
    }
    operator T() const {
        check();
        cuda_on_cpu::touch(offset(), sizeof(T), cuda_on_cpu::READ);
        T value;
        std::memcpy(&value, cuda_on_cpu::arena(offset()), sizeof value);
        return value;
    }
    T operator=(T value) const {
        check();
        cuda_on_cpu::touch(offset(), sizeof(T), cuda_on_cpu::WRITE);
        std::memcpy(cuda_on_cpu::arena(offset()), &value, sizeof value);
        return value;
    }
    T operator=(const gb_shared_place &other) const {
        return *this = static_cast<T>(other);
    }
    gb_shared_place(const gb_shared_place &) = default;
    T operator+=(T value) const {
        return *this = static_cast<T>(static_cast<T>(*this) + value);
    }
    gb_shared<T> operator&() const;

  private:
    size_t offset() const {
        return offset_ + static_cast<size_t>(index_) * sizeof(T);
    }
    void check() const {
        if (index_ < 0 || static_cast<size_t>(index_) >= length_)
            cuda_on_cpu::out_of_bounds(index_, length_);
    }
    size_t offset_;
    long long index_;
    size_t length_;
};

template <class T> class gb_shared {
  public:
    gb_shared(size_t offset, long long index, size_t length)
        : offset_(offset), index_(index), length_(length) {
    }
    gb_shared_place<T> operator[](long long k) const {
        return gb_shared_place<T>(offset_, index_ + k, length_);
    }
    gb_shared operator+(long long k) const {
        return gb_shared(offset_, index_ + k, length_);
    }
    size_t byte() const {
        return offset_ + static_cast<size_t>(index_) * sizeof(T);
    }
    T atomic_read() const {
        place();
        T value;
        std::memcpy(&value, place(), sizeof value);
        return value;
    }
    void atomic_write(T value) const {
        std::memcpy(place(), &value, sizeof value);
    }

  private:
    unsigned char *place() const {
        if (index_ < 0 || static_cast<size_t>(index_) >= length_)
            cuda_on_cpu::out_of_bounds(index_, length_);
        const size_t at = offset_ + static_cast<size_t>(index_) * sizeof(T);
        cuda_on_cpu::touch(at, sizeof(T), cuda_on_cpu::ATOMIC);
        return cuda_on_cpu::arena(at);
    }
    size_t offset_; /* of the array in the arena */
    long long index_;
    size_t length_; /* of the array, in T */
};

template <class T> gb_shared<T> gb_shared_place<T>::operator&() const {
    return gb_shared<T>(offset_, index_, length_);
}

/* length values of T from this byte of the block's dynamic shared memory on. */
template <class T> gb_shared<T> gb_shared_carve(size_t byte, size_t length) {
    if (byte % alignof(T) != 0 || byte + length * sizeof(T) > cuda_on_cpu::dynamic_bytes())
        cuda_on_cpu::fail("%zu bytes at %zu of %zu dynamic ones", length * sizeof(T), byte,
                          cuda_on_cpu::dynamic_bytes());
    return gb_shared<T>(byte, 0, length);
}

#define GB_SHARED_ARRAY(T, name, length)                                                           \
    static const char name##_place = 0;                                                            \
    const gb_shared<T> name(cuda_on_cpu::place_static(&name##_place, sizeof(T) * (length)), 0,     \
                            (length))
