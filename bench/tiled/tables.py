# SPDX-License-Identifier: Apache-2.0
#
# The tables of docs/tiled.md, made from the document of bench/tiled.
import math

from page import count, percent, seconds, size, table

STEPS = ["layout", "masks", "values", "rest"]
RINGS = {"plus_times": "plus-times, FP64", "min_plus": "min-plus, FP64",
         "plus_pair": "plus-pair, INT64", "lor_land": "or-and, BOOL"}
WAYS = ["tiled", "upper_bound", "estimate"]


def ratio(x):
    return f"{x:.2f}"


def fill(x):
    return f"{x:.1f}" if x < 10 else f"{x:.0f}"


def machine(results):
    race = results["race"]
    busy = max(part["share_of_other_programs"] for part in results.values())
    return (f"{race['machine']}, {race['threads']} threads, gblite {race['gblite']}, medians of "
            f"{race['rounds']}; other programs used at most {percent(busy, 0)} of the processors "
            f"meanwhile.")


def by_fill(part):
    return sorted(part["inputs"], key=lambda i: -i["fill"])


def race(results):
    keys = ["suitesparse", "rowwise", "tiles", "by_rows", "cold"]
    rows = [[i["name"], fill(i["fill"])] + [seconds(i[key]) for key in keys] +
            [ratio(i["rowwise"] / i[key]) for key in ("tiles", "by_rows", "cold")] +
            [ratio(i["suitesparse"] / i["by_rows"]), str(i["slices"])]
            for i in by_fill(results["race"])]
    return table(["A", "fill", "SuiteSparse", "ROWWISE", "TILED", "by rows", "cold",
                  "ROWWISE / TILED", "/ by rows", "/ cold", "SuiteSparse / by rows",
                  "slices"], rows)


def crossing(points, key):
    """The fill from which on the tiled product is the faster way, between two measured ones by the
    logarithms of fill and ratio; None when it never is, 0 when it always is."""
    ratios = [(p["fill"], p["rowwise"] / p[key]) for p in points]
    last = max((k for k, (_, r) in enumerate(ratios) if r < 1), default=-1)
    if last < 0 or last + 1 == len(ratios):
        return 0 if last < 0 else None
    (f, r), (g, s) = ratios[last], ratios[last + 1]
    share = -math.log(r) / (math.log(s) - math.log(r))
    return math.exp(math.log(f) + share * (math.log(g) - math.log(f)))


def crossing_text(points, key):
    at = crossing(points, key)
    if at is None:
        return "never"
    return f"below {points[0]['fill']:.0f}" if at == 0 else fill(at)


def crossings(results):
    rows = [[RINGS[i["name"]], crossing_text(i["points"], "tiles"),
             crossing_text(i["points"], "by_rows")] for i in results["sweep"]["inputs"]]
    return table(["semiring", "C stays in tiles", "C is wanted by rows"], rows)


def sweep(results):
    inputs = results["sweep"]["inputs"]
    rows = []
    for k, point in enumerate(inputs[0]["points"]):
        row = [fill(point["fill"])]
        for i in inputs:
            p = i["points"][k]
            row += [seconds(p["rowwise"]), ratio(p["rowwise"] / p["tiles"]),
                    ratio(p["rowwise"] / p["by_rows"])]
        rows.append(row)
    return table(["fill"] + [text for i in inputs for text in
                             (f"{RINGS[i['name']]}: ROWWISE", "/ TILED", "/ by rows")], rows)


def steps(results):
    rows = [[i["name"], seconds(i["total"])] + [percent(i[key] / i["total"]) for key in STEPS] +
            [seconds(i["convert"]), ratio(i["convert"] / i["total"]), seconds(i["to_rows"]),
             ratio(i["to_rows"] / i["total"])] for i in by_fill(results["steps"])]
    return table(["A", "product", "which tiles", "masks", "values", "rest", "A to tiles",
                  "/ product", "C to rows", "/ product"], rows)


def pair(i, prefix):
    """Bytes by rows, as tiles, and their ratio."""
    rows, tiles = i[prefix + "rows_bytes"], i[prefix + "tiles_bytes"]
    return [size(rows), size(tiles), ratio(tiles / rows)]


def sizes(results):
    inputs = by_fill(results["steps"])
    rows = [[i["name"], fill(i["fill"]), *pair(i, ""), fill(i["result_fill"]),
             *pair(i, "result_")] for i in inputs]
    sums = {key: sum(i[key] for i in inputs) for prefix in ("", "result_")
            for key in (prefix + "rows_bytes", prefix + "tiles_bytes")}
    rows.append(["sum", "", *pair(sums, ""), "", *pair(sums, "result_")])
    return table(["A", "fill", "A by rows", "A as tiles", "ratio", "fill of C", "C by rows",
                  "C as tiles", "ratio"], rows)


def memory(results):
    rows = [[i["name"], size(i["rows_bytes"]), size(i["tiled"]["result"]),
             size(i["upper_bound"]["result"])] +
            [size(i[way][kind]) for way in WAYS for kind in ("asked", "touched")]
            for i in by_fill(results["memory"])]
    return table(["A", "A by rows", "C as tiles", "C by rows", "TILED asks", "touches",
                  "upper bound asks", "touches", "estimate asks", "touches"], rows)


def growth(results):
    rows = []
    for i in results["growth"]["inputs"]:
        for p in i["points"]:
            rows.append([f"{i['name']} x {p['copies']}", count(p["flops"]),
                         count(p["tile_count"]), size(p["tiled"]["result"])] +
                        [size(p[way]["asked"] - p[way]["result"]) for way in WAYS])
    return table(["A", "flops", "tiles of A and B", "C as tiles", "TILED, beside C",
                  "upper bound, beside C", "estimate, beside C"], rows)


def triangles(results):
    rows = [[i["orders"][0]["name"], o["order"], count(o["entries"]), fill(o["fill"]),
             count(i["triangles"])] +
            [seconds(o[key]) for key in ("tiled", "dot", "rowwise")] +
            [ratio(o["dot"] / o["tiled"])]
            for i in results["triangles"]["inputs"] for o in i["orders"]]
    return table(["graph", "vertices", "entries of L", "fill of L", "triangles", "TILED", "DOT",
                  "ROWWISE", "DOT / TILED"], rows)


def chain(name, i):
    return [name, i["name"], fill(i["fill"]), fill(i.get("fill_of_P", i["fill"])),
            count(i["result_entries"]), seconds(i["rowwise"]["seconds"]),
            seconds(i["tiles"]["seconds"]),
            ratio(i["rowwise"]["seconds"] / i["tiles"]["seconds"]),
            str(i["tiles"]["conversions"])]


def chains(results):
    rows = [chain("R (A P)", i) for i in results["galerkin"]["inputs"]]
    rows += [chain("(A A) A", i) for i in results["cube"]["inputs"]]
    return table(["chain", "A", "fill of A", "of the other factor", "entries of the result",
                  "ROWWISE", "TILED", "ratio", "conversions of results, TILED"], rows)


TABLES = {"machine": machine, "race": race, "crossings": crossings, "sweep": sweep, "steps": steps,
          "sizes": sizes, "memory": memory, "growth": growth, "triangles": triangles,
          "chains": chains}
