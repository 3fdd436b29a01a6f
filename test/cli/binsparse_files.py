# SPDX-License-Identifier: Apache-2.0
"""Binsparse files written and read by h5py, against the program gblite.

binsparse_files.py PROGRAM FOLDER. What is here knows the format from its specification alone.
"""

import json
import os
import random
import subprocess
import sys

import h5py
import numpy as np

PROGRAM, FOLDER = sys.argv[1:3]
TYPES = {"bint8": np.uint8, "int8": np.int8, "int16": np.int16, "int32": np.int32,
         "int64": np.int64, "uint8": np.uint8, "uint16": np.uint16, "uint32": np.uint32,
         "uint64": np.uint64, "float32": np.float32, "float64": np.float64}
failures = 0


def fail(*what):
    global failures
    failures += 1
    print("FAIL ", *what)


def convert(source, target, *options):
    done = subprocess.run([PROGRAM, "convert", source, "-o", target, *options],
                          capture_output=True, text=True)
    return done.returncode, done.stderr


def entries_of_text(path):
    """Entries of a Matrix Market file, as numbers."""
    with open(path) as lines:
        rows = [line.split() for line in lines if not line.startswith("%")]
    found = {(int(r[0]) - 1, int(r[1]) - 1): float(r[2]) if len(r) > 2 else 1.0 for r in rows[1:]}
    return tuple(int(x) for x in rows[0][:2]), found


def arrays_of(entries, shape, name, values):
    """The arrays of a format; entries are sorted by rows."""
    by_columns = name.endswith("C") and name not in ("DVEC", "CVEC")
    order = sorted(range(len(entries)), key=lambda e: entries[e][::-1] if by_columns else entries[e])
    major = np.array([entries[e][by_columns] for e in order], dtype=np.int64)
    minor = np.array([entries[e][not by_columns] for e in order], dtype=np.int64)
    made = {"values": values[order]}
    if name.startswith("COO") or name == "CVEC":
        made["indices_0"] = major
    if name in ("CSR", "CSC"):
        made["pointers_to_1"] = np.searchsorted(major, np.arange(shape[by_columns] + 1))
    if name in ("DCSR", "DCSC"):
        made["indices_0"] = np.unique(major)
        made["pointers_to_1"] = np.append(np.searchsorted(major, made["indices_0"]), len(major))
    if name in ("CSR", "CSC", "DCSR", "DCSC") or name.startswith("COO"):
        made["indices_1"] = minor
    return made


def write(path, arrays, descriptor, nested=True, fixed=True):
    text = json.dumps({"binsparse": descriptor, "author": "test"} if nested else descriptor)
    with h5py.File(path, "w") as file:
        file.attrs["binsparse"] = np.bytes_(text) if fixed else text
        for name, array in arrays.items():
            file[name] = array


def describe(name, shape, n, arrays, kind, **more):
    types = {a: str(x.dtype) for a, x in arrays.items()}
    return {"version": "0.1", "format": name, "shape": list(shape), "number_of_stored_values": n,
            "data_types": types | {"values": kind}, **more}


def some_matrix(chance, shape, kind, full=False):
    places = [(i, j) for i in range(shape[0]) for j in range(shape[1])
              if full or chance.random() < 0.2]
    kind = TYPES[kind]
    if np.issubdtype(kind, np.floating):
        values = np.array([chance.uniform(-9, 9) for _ in places], dtype=kind)
    else:
        low = np.iinfo(kind).min // 2
        values = np.array([chance.randint(low, np.iinfo(kind).max // 2) for _ in places],
                          dtype=kind)
    return places, values


def check_read(name, kind, chance, width):
    dense = name in ("DMATR", "DMAT", "DMATC", "DVEC")
    shape = (chance.randint(1, 20), 1 if name.endswith("VEC") else chance.randint(1, 20))
    entries, values = some_matrix(chance, shape, kind, dense)
    if kind == "bint8":
        values = values % 2
    arrays = arrays_of(entries, shape, name, values)
    for a in arrays:
        if a != "values":
            arrays[a] = arrays[a].astype(width)
    stated = shape[:1] if name.endswith("VEC") else shape
    write(FOLDER + "/r.h5", arrays, describe(name, stated, len(entries), arrays, kind),
          nested=chance.random() < 0.5, fixed=chance.random() < 0.5)
    code, error = convert(FOLDER + "/r.h5", FOLDER + "/r.mtx")
    if code != 0:
        return fail("read", name, kind, width, error)
    expected = {e: float(x) for e, x in zip(entries, values)}
    if kind == "bint8":  # text has no Boolean values: what is false becomes 0 there
        expected = {e: float(bool(x)) for e, x in expected.items()}
    found_shape, found = entries_of_text(FOLDER + "/r.mtx")
    if found_shape != shape or found.keys() != expected.keys():
        return fail("read", name, kind, "other places")
    if any(abs(found[e] - x) > 1e-6 * abs(x) for e, x in expected.items()):
        return fail("read", name, kind, "other values")


def check_written(name, chance):
    """What gblite writes, read here."""
    operand = "decay:7:paper" if name.startswith("DMAT") else f"rect:{chance.randint(3, 40)}:9:2"
    convert(operand, FOLDER + "/w.mtx")
    code, error = convert(operand, FOLDER + "/w.h5", "--format", name)
    if code != 0:
        return fail("write", name, error)
    shape, expected = entries_of_text(FOLDER + "/w.mtx")
    with h5py.File(FOLDER + "/w.h5") as file:
        text = file.attrs["binsparse"]
        d = json.loads(text if isinstance(text, str) else bytes(text))["binsparse"]
        arrays = {a: file[a][...] for a in file}
    if set(arrays) != set(d["data_types"]) or tuple(d["shape"]) != shape:
        return fail("write", name, "descriptor", d)
    order = sorted(expected)
    again = arrays_of(order, shape, name, np.array([expected[e] for e in order]))
    for a, x in again.items():
        if a != "values" and str(arrays[a].dtype) != d["data_types"][a]:
            fail("write", name, a, "has another type than it says")
        if arrays[a].shape != x.shape or not np.allclose(arrays[a].astype(float), x):
            fail("write", name, a)


def check_structure(name, sign, lower):
    n = 6
    entries = [(i, j) for i in range(n) for j in range(n)
               if (i >= j if lower else i <= j) and (i + 2 * j) % 3 != 0]
    values = np.arange(1.0, len(entries) + 1)
    arrays = arrays_of(entries, (n, n), "CSR", values)
    write(FOLDER + "/s.h5", arrays,
          describe("CSR", (n, n), len(entries), arrays, "float64", structure=name))
    code, error = convert(FOLDER + "/s.h5", FOLDER + "/s.mtx")
    if code != 0:
        return fail(name, error)
    expected = {}
    for (i, j), x in zip(entries, values):
        expected[j, i] = sign * x
    expected |= dict(zip(entries, values))
    if entries_of_text(FOLDER + "/s.mtx")[1] != expected:
        fail(name, "entries")


def check_iso():
    entries = [(0, 3), (1, 1), (4, 0)]
    arrays = arrays_of(entries, (5, 5), "COO", np.zeros(3))
    arrays["values"] = np.array([7], dtype=np.int8)
    write(FOLDER + "/i.h5", arrays, describe("COO", (5, 5), 3, arrays, "iso[int8]"))
    code, error = convert(FOLDER + "/i.h5", FOLDER + "/i.mtx")
    if code != 0 or entries_of_text(FOLDER + "/i.mtx")[1] != {e: 7.0 for e in entries}:
        fail("iso", error)
    convert(FOLDER + "/i.h5", FOLDER + "/j.h5")
    with h5py.File(FOLDER + "/j.h5") as file:
        if len(file["values"]) != 1 or b"iso[int8]" not in bytes(file.attrs["binsparse"]):
            fail("iso", "is not written")


def lies():
    """Files that lie, each with what the message must say."""
    def good():
        arrays = {"pointers_to_1": np.array([0, 2, 2, 3], dtype=np.uint64),
                  "indices_1": np.array([0, 2, 1], dtype=np.int32),
                  "values": np.array([1.5, 2.5, 3.5])}
        return arrays, describe("CSR", (3, 3), 3, arrays, "float64")

    def lie(says, change):
        arrays, d = good()
        change(arrays, d)
        return says, arrays, d

    def put(what, value):
        return lambda arrays, d: (arrays if what in arrays else d).__setitem__(what, value)

    def without(what):
        return lambda arrays, d: (arrays if what in arrays else d).pop(what)

    yield lie("no data set", without("indices_1"))
    yield lie("no data set", without("values"))
    yield lie("version", without("version"))
    yield lie("version", put("version", "7.0"))
    yield lie("format", put("format", "CRS"))
    yield lie("format", without("format"))
    yield lie("shape", put("shape", [3]))
    yield lie("shape", put("shape", [3.5, 3]))
    yield lie("shape", put("shape", [-3, 3]))
    yield lie("shape", put("shape", [1e300, 3]))
    yield lie("one number more", put("shape", [4, 3]))
    yield lie("stored_values", put("number_of_stored_values", 4))
    yield lie("stored_values", put("number_of_stored_values", -1))
    yield lie("stored_values", put("number_of_stored_values", 2**53))
    yield lie("descend", put("pointers_to_1", np.array([0, 3, 2, 3])))
    yield lie("descend", put("pointers_to_1", np.array([0, 2**62, 2, 3])))
    yield lie("from 0", put("pointers_to_1", np.array([1, 2, 2, 3])))
    yield lie("below 0", put("pointers_to_1", np.array([0, -2, 2, 3])))
    yield lie("below 0", put("indices_1", np.array([0, -2, 1])))
    yield lie("column", put("indices_1", np.array([0, 3, 1])))
    yield lie("once", put("indices_1", np.array([2, 2, 1])))
    yield lie("integers", put("indices_1", np.array([0.0, 2.0, 1.0])))
    yield lie("one dimension", put("values", np.ones((3, 1))))
    yield lie("another length", put("values", np.ones(4)))
    yield lie("another kind", put("values", np.ones(3, dtype=np.int32)))
    yield lie("complex", lambda _, d: d["data_types"].__setitem__("values", "complex[float64]"))
    yield lie("type 'float16'", lambda _, d: d["data_types"].__setitem__("values", "float16"))
    yield lie("data_types", lambda _, d: d["data_types"].pop("values"))
    yield lie("structure 'hermitian", put("structure", "hermitian_lower"))
    yield lie("other triangle", put("structure", "symmetric_lower"))
    yield lie("fill_value", put("fill", True))


def check_lies():
    for says, arrays, d in lies():
        write(FOLDER + "/l.h5", arrays, d)
        code, error = convert(FOLDER + "/l.h5", FOLDER + "/l.mtx")
        if code != 1 or says not in error or "l.h5" not in error:
            fail("a lie", says, code, error)
    with open(FOLDER + "/l.h5", "wb") as file:
        file.write(b"no HDF5")
    code, error = convert(FOLDER + "/l.h5", FOLDER + "/l.mtx")
    if code != 1 or "no HDF5 file" not in error:
        fail("no HDF5 file", error)
    with h5py.File(FOLDER + "/l.h5", "w") as file:
        file["values"] = np.ones(3)
    code, error = convert(FOLDER + "/l.h5", FOLDER + "/l.mtx")
    if code != 1 or "no attribute" not in error:
        fail("no descriptor", error)
    with h5py.File(FOLDER + "/l.h5", "w") as file:
        file.attrs["binsparse"] = "{\"binsparse\": ["
        file["values"] = np.ones(3)
    code, error = convert(FOLDER + "/l.h5", FOLDER + "/l.mtx")
    if code != 1 or "JSON" not in error:
        fail("no JSON", error)


def check_noise(chance, rounds):
    """Arrays and descriptors at random: an answer or a message, never a crash."""
    for _ in range(rounds):
        names = ["pointers_to_1", "indices_0", "indices_1", "values"]
        arrays = {a: np.array([chance.choice([0, 1, 2, 3, -1, 2**40])
                               for _ in range(chance.randint(0, 5))], dtype=np.int64)
                  for a in names}
        name = chance.choice(["CSR", "CSC", "DCSR", "DCSC", "COO", "COOC", "DMAT", "CVEC", "DVEC"])
        shape = [chance.choice([0, 1, 2, 3, 2**52]) for _ in range(chance.randint(1, 3))]
        write(FOLDER + "/n.h5", arrays,
              describe(name, shape, chance.choice([0, 1, 2, 3, 4, 6, 9]), arrays,
                       chance.choice(["int64", "iso[int64]", "bint8"])))
        code, error = convert(FOLDER + "/n.h5", FOLDER + "/n.mtx")
        if code not in (0, 1) or (code == 1 and "n.h5" not in error):
            fail("noise", code, error)


def main():
    chance = random.Random(4)
    names = ["CSR", "CSC", "DCSR", "DCSC", "COO", "COOR", "COOC", "DMATR", "DMAT", "DMATC", "CVEC",
             "DVEC"]
    widths = [np.uint8, np.int16, ">u4", np.uint64]
    for k, name in enumerate(names):  # each with a third of the types, each type with a third of them
        for t, kind in enumerate(TYPES):
            if (k + t) % 3 == 0:
                check_read(name, kind, chance, widths[(k + t) // 3 % len(widths)])
    for name in names[:4] + ["COOR", "COOC", "DMATR", "DMATC"]:
        check_written(name, chance)
    for name, sign in ("symmetric", 1.0), ("skew_symmetric", -1.0):
        check_structure(name + "_lower", sign, True)
        check_structure(name + "_upper", sign, False)
    check_iso()
    check_lies()
    check_noise(chance, 60)
    for name in os.listdir(FOLDER):
        if name.endswith(".new"):
            fail("left behind:", name)
    return failures > 0


sys.exit(main())
