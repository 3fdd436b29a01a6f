# SPDX-License-Identifier: Apache-2.0
#
# The tables of docs/outer.md, made from the document of bench/outer.
from model import (compression, crossing_points, intensity, largest_taken, matrix_bytes,
                         moved, moved_by_paper)
from page import count, percent, seconds, size, table

LOOPS = ["copy", "scale", "add", "triad"]
LABELS = ["natural", "sorted", "shuffled"]


def ratio(x):
    return f"{x:.2f}"


def rate(x):
    return f"{x / 1e9:.1f}"


def by_compression(inputs):
    return sorted(inputs, key=compression)


def machine(results):
    race = results["race"]
    busy = max(part["share_of_other_programs"] for part in results.values())
    cache = results["stream"]["inputs"][0]["last_cache_bytes"]
    return (f"{race['machine']}, {race['threads']} threads, last-level cache {cache / 2**20:.0f} MiB, "
            f"gblite {race['gblite']}, medians of {race['rounds']}; other programs used at most "
            f"{percent(busy, 0)} of the processors meanwhile.")


def stream(results):
    points = results["stream"]["inputs"][0]["points"]
    rows = []
    for p in points:
        for text, suffix in (("ordinary", ""), ("past the caches", "_past")):
            if "copy" + suffix in p:
                rows.append([f"{p['threads']}, {text}"] + [rate(p[k + suffix]) for k in LOOPS])
    return table(["threads, stores"] + LOOPS, rows)


def race(results):
    rows = []
    for i in by_compression(results["race"]["inputs"]):
        keys = ["suitesparse", "rowwise", "outer", "cold", "auto", "auto_cold"]
        rows.append([i["name"], size(matrix_bytes(i["entries"], i["rows"])), count(i["flops"]),
                     ratio(compression(i))] + [seconds(i[key]) for key in keys] +
                    [i["auto_method"], i["auto_cold_method"],
                     ratio(i["suitesparse"] / i["outer"]), ratio(i["rowwise"] / i["outer"]),
                     ratio(i["rowwise"] / i["cold"])])
    return table(["A", "size", "flops", "compression ratio", "SuiteSparse", "ROWWISE", "OUTER",
                  "OUTER, cold", "AUTO", "AUTO, cold", "AUTO takes", "cold", "SuiteSparse / OUTER",
                  "ROWWISE / OUTER", "/ cold"], rows)


def phases(results):
    rows = [[i["name"], seconds(i["total"])] +
            [seconds(i[key]) for key in ("analysis", "symbolic", "expand", "sort")] +
            [str(i["bins"]), str(i["slices"]), f"{i['bytes_expanded'] / i['flops']:.1f}",
             seconds(i["rowwise"])] for i in by_compression(results["phases"]["inputs"])]
    return table(["A", "product", "planner", "symbolic", "expand", "sort and join", "bins",
                  "slices", "bytes per product", "ROWWISE"], rows)


def bandwidth(results):
    rows = []
    for i in by_compression(results["phases"]["inputs"]):
        row = [i["name"], rate(i["stream"])]
        for moves in (moved(i), moved_by_paper(i)):
            for step in ("expand", "sort"):
                speed = moves[step] / i[step]
                row += [rate(speed), percent(speed / i["stream"], 0)]
        rows.append(row)
    return table(["A", "STREAM", "expand", "share", "sort and join", "share",
                  "expand, 16 bytes", "share", "sort and join, 16 bytes", "share"], rows)


def bounds(results):
    """Seconds of a product that moves the bytes of each bound at STREAM's speed at the time."""
    rows = []
    for i in by_compression(results["race"]["inputs"]):
        ai, beta = intensity(i), i["stream"]
        least = i["flops"] / ai["packets"] / beta
        rows.append([i["name"], rate(beta)] + [seconds(i["flops"] / ai[k] / beta)
                                   for k in ("upper", "column", "outer", "packets")] +
                    [seconds(i["outer"]), percent(least / i["outer"], 0), seconds(i["rowwise"])])
    return table(["A", "STREAM", "operands and C", "rows of B each time", "outer, 16 bytes",
                  "outer, packets", "OUTER", "of its bound", "ROWWISE"], rows)


def sweep_rows(i, chosen, label):
    return [[i["name"], label(p), str(p["bins"]), str(p["slices"])] +
            [seconds(p[key]) for key in ("symbolic", "expand", "sort", "total")]
            for p in i["points"] if chosen(p)]


def bins(results):
    rows = []
    for i in results["bins"]["inputs"]:
        rows += sweep_rows(i, lambda p: p["bin_lines"] == 0, lambda p: size_of_bin(p["bin_bytes"]))
    return table(["A", "bytes of a bin", "bins", "slices", "symbolic", "expand", "sort and join",
                  "product"], rows)


def size_of_bin(n):
    return "default" if n == 0 else f"{n >> 10} KiB"


def lines(results):
    rows = []
    for i in results["bins"]["inputs"]:
        rows += sweep_rows(i, lambda p: p["bin_lines"] > 0, lambda p: str(64 * p["bin_lines"]))
    return table(["A", "bytes flushed at once", "bins", "slices", "symbolic", "expand",
                  "sort and join", "product"], rows)


def threads(results):
    rows = []
    for i in results["threads"]["inputs"]:
        one = i["points"][0]
        for p in i["points"]:
            rows.append([i["name"], str(p["threads"])] +
                        [seconds(p[key]) for key in ("symbolic", "expand", "sort", "total")] +
                        [ratio(one["total"] / p["total"]), seconds(p["rowwise"]),
                         ratio(one["rowwise"] / p["rowwise"])])
    return table(["A", "threads", "symbolic", "expand", "sort and join", "OUTER", "speedup",
                  "ROWWISE", "speedup"], rows)


def labels(results):
    rows = []
    for i in results["labels"]["inputs"]:
        row = [i["name"], ratio(compression(i["natural"]))]
        for method in ("total", "rowwise"):
            times = [i[label][method] for label in LABELS]
            row += [seconds(t) for t in times] + [ratio(max(times) / min(times))]
        rows.append(row)
    return table(["A", "compression ratio", "OUTER: natural", "sorted", "shuffled", "most / least",
                  "ROWWISE: natural", "sorted", "shuffled", "most / least"], rows)


def crossing(results):
    rows = []
    for group, p in crossing_points(results):
        x = f"a = {p['a']:.2f}" if "a" in p else f"{p['edges']} edges"
        rows.append([group, x, count(p["flops"]), ratio(compression(p)), seconds(p["rowwise"]),
                     seconds(p["total"]), ratio(p["rowwise"] / p["total"]), p["auto_method"]])
    return table(["graphs", "edges per vertex, or skew", "flops", "compression ratio", "ROWWISE",
                  "OUTER", "ROWWISE / OUTER", "AUTO takes"], rows)


def choice(results):
    points = [p for _, p in crossing_points(results)]
    best = sum(min(p["total"], p["rowwise"]) for p in points)
    taken = sum(p["total"] if p["auto_method"] == "outer" else p["rowwise"] for p in points)
    wrong = sum((p["auto_method"] == "outer") != (p["total"] < p["rowwise"]) for p in points)
    largest = largest_taken(results)
    text = "AUTO took OUTER nowhere" if largest is None else \
        f"AUTO took OUTER up to a compression ratio of {ratio(largest)}"
    return (f"{text}, and the slower way at {wrong} of {len(points)} points; all its choices "
            f"together cost {ratio(taken / best)} times the best ones.")


def slowest_share(results):
    """The smaller share of STREAM of the two large steps, by name of the input."""
    return {i["name"]: min(moved(i)[step] / i[step] for step in ("expand", "sort")) / i["stream"]
            for i in results["phases"]["inputs"]}


def share_of_cache(results):
    return results["stream"]["inputs"][0]["last_cache_bytes"] / results["race"]["threads"]


def is_large(i, results):
    """Hardly compressed, and beyond a thread's share of the last-level cache."""
    return (compression(i) < 2 and
            matrix_bytes(i["entries"], i["rows"]) > share_of_cache(results))


def aims(results):
    """What the method was to reach, and what it does."""
    races = {i["name"]: i for i in results["race"]["inputs"]}
    rows = []

    def add(aim, values, least, text):
        found = ", ".join(f"{name} {text(x)}" for name, x in values.items())
        met = "yes" if min(values.values(), default=0) >= least else "no"
        rows.append([aim, found, met] if values else [aim, "not measured", ""])

    shares = slowest_share(results)
    add("expand, sort and join: 70% of STREAM or more",
        {k: x for k, x in shares.items() if k in ("er:20:4", "er:20:8")}, 0.7,
        lambda x: percent(x, 0))
    add("3 times as fast as SuiteSparse or faster",
        {k: races[k]["suitesparse"] / races[k]["outer"]
         for k in ("er:20:4", "er:20:2", "er:18:8") if k in races}, 3, ratio)
    add("not slower than ROWWISE: compression ratio under 2, A larger than "
        f"{size(share_of_cache(results))}",
        {k: i["rowwise"] / i["outer"] for k, i in races.items() if is_large(i, results)}, 1, ratio)
    add("times for natural, sorted and shuffled vertices within 10%",
        {i["name"]: min(i[x]["total"] for x in LABELS) / max(i[x]["total"] for x in LABELS)
         for i in results["labels"]["inputs"]}, 0.9, ratio)
    return table(["aim", "measured", "reached"], rows)


TABLES = {"machine": machine, "stream": stream, "race": race, "phases": phases,
          "bandwidth": bandwidth, "bounds": bounds, "bins": bins, "lines": lines,
          "threads": threads, "labels": labels, "crossing": crossing, "choice": choice,
          "aims": aims}
