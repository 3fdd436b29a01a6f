# SPDX-License-Identifier: Apache-2.0
#
# Bytes and bounds of an outer product, in two countings: what gblite really moves, and that of
# PB-SpGEMM (IPDPS '20), where every entry and every product takes 16 bytes (row, column, value).
# An input is an object of bench/outer: rows, columns, entries of A, flops, result_entries, and
# bytes_expanded, the packets on their way from expanding to sorting. Values are FP64.
TUPLE = 16    # bytes of an entry, the paper's b
ENTRY = 12    # ... of gblite, by rows or by columns: 4 of the index, 8 of the value
POINTER = 8


def compression(i):
    return i["flops"] / i["result_entries"]


def matrix_bytes(entries, lines):
    return ENTRY * entries + POINTER * (lines + 1)


def operand_bytes(i):
    """A by columns and B by rows, which every slice reads."""
    return i["slices"] * (matrix_bytes(i["entries"], i["columns"]) +
                          matrix_bytes(i["entries"], i["rows"]))


def moved(i):
    """Bytes that expanding, and sorting and joining, move."""
    return {"expand": operand_bytes(i) + i["bytes_expanded"],
            "sort": i["bytes_expanded"] + matrix_bytes(i["result_entries"], i["rows"])}


def moved_by_paper(i):
    """Table III of the paper; compressing writes what sorting has read."""
    return {"expand": TUPLE * (2 * i["entries"] + i["flops"]),
            "sort": TUPLE * (i["flops"] + i["result_entries"])}


def intensity(i):
    """Products per byte: the paper's equations 1, 3 and 4 with the numbers of this input instead of
    their limits, gblite's packets, and a row-wise product that reads every row of B from memory as
    often as it needs it."""
    n, z, c = i["flops"], i["entries"], i["result_entries"]
    rowwise = matrix_bytes(z, i["rows"]) + ENTRY * n + matrix_bytes(c, i["rows"])
    return {"upper": n / (TUPLE * (2 * z + c)), "column": n / (TUPLE * (n + z + c)),
            "outer": n / (TUPLE * (2 * z + 2 * n + c)), "packets": n / sum(moved(i).values()),
            "rowwise": n / rowwise}


def stream_rate(results):
    """Bytes a second of the fastest loop of STREAM that the run has seen, by all threads."""
    point = results["stream"]["inputs"][0]["points"][-1]
    rates = [rate for key, rate in point.items() if key not in ("threads", "array_bytes")]
    return max(rates + [i["stream"] for part in ("race", "phases") for i in results[part]["inputs"]])


def crossing_points(results):
    """(group, point) of all that part crossing has."""
    return [(i["name"], p) for i in results["crossing"]["inputs"] for p in i["points"]]


def largest_taken(results):
    """The highest compression ratio of a product that AUTO left to OUTER, None where there was
    none."""
    return max((compression(p) for _, p in crossing_points(results)
                if p["auto_method"] == "outer"), default=None)
