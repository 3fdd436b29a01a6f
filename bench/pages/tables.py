# SPDX-License-Identifier: Apache-2.0
#
# The tables of all pages: functions of the results that make_page.py has measured, by the name of the
# file they are in. TABLES[PAGE][NAME] makes the lines between <!-- begin:NAME --> and <!-- end:NAME -->.
import math
import os
import statistics
import sys
from statistics import geometric_mean as mean

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from shared import table  # noqa: E402

AUTO, PEERS = "auto", ("suitesparse", "mkl")
NAMES = {"suitesparse": "SuiteSparse", "mkl": "MKL", "auto": "automatic",
         "upper_bound": "ROWWISE, upper bound", "estimate": "ROWWISE, estimate",
         "symbolic": "ROWWISE, symbolic", "tiled": "TILED", "outer": "OUTER", "dot": "DOT",
         "panel": "PANEL", "panel_grouped": "PANEL, grouped rows",
         "rowwise_warm": "ROWWISE, again", "outer_warm": "OUTER, again",
         "tiled_warm": "TILED, again", "tiled_to_tiles": "TILED, to tiles"}
LARGE = 1e6  # flops; what smaller products take of memory says nothing


# -- text

def percent(x, digits=1):
    return f"{100 * x:.{digits}f}%"


def time(x):
    return f"{1e6 * x:.0f} us" if x < 1e-3 else f"{1e3 * x:.2f} ms" if x < 1 else f"{x:.3f} s"


def count(x):
    return f"{x:.0f}" if x < 1e4 else f"{x / 1e3:.0f} k" if x < 1e7 else f"{x / 1e6:.0f} M"


def size(x):
    return f"{x / 1e3:.0f} kB" if x < 1e6 else f"{x / 1e6:.{1 if x < 1e8 else 0}f} MB"


def ratio(x):
    return "" if x is None else f"{x:.2f}" if x < 100 else f"{x:.0f}"


def spread(values):
    return [f"{of(values):.2f}" if values else "" for of in (mean, min, max)]


def machine(results):
    peers = "".join(f", {name}{results[key].split(' for ')[0].split('-Product')[0]}" for key, name in
                    (("suitesparse", "SuiteSparse:GraphBLAS "), ("mkl", "")) if results.get(key))
    date = f", {results['date']}" if "date" in results else ""
    share = results.get("share_of_other_programs")
    others = (f"; other programs used {percent(share, 0)} of the processors meanwhile."
              if share is not None else ".")
    return (f"{results['machine']}, {results['threads']} threads{date}; gblite {results['gblite']}"
            f"{peers}; medians of {results['rounds']}{others}")


# -- one product by many contenders: documents of run and its sisters

def contenders(i):
    """Those that ran, by name."""
    return {c["name"]: c for c in i["contenders"] if "seconds" in c}


def seconds(i, name):
    return contenders(i).get(name, {}).get("seconds")


def best_forced(i):
    """(name, seconds) of the quickest way that was forced."""
    return min(((name, c["seconds"]) for name, c in contenders(i).items()
                if name not in (AUTO, *PEERS)), key=lambda x: x[1])


def regret(i):
    return seconds(i, AUTO) / best_forced(i)[1]


def speedup(i, peer):
    """How many times the automatic choice is faster than a peer; None where it did not run."""
    theirs = seconds(i, peer)
    return theirs / seconds(i, AUTO) if theirs else None


def first(i, name):
    """The first call in a fresh process; None where it was not measured."""
    return contenders(i).get(name, {}).get("first")


def first_speedup(i, peer):
    theirs, mine = first(i, peer), first(i, AUTO)
    return theirs["seconds"] / mine["seconds"] if theirs and mine else None


def prediction_errors(inputs):
    """log2(predicted / measured) of the ways that the automatic plan chose."""
    autos = (contenders(i)[AUTO] for i in inputs)
    return [math.log2(c["predicted"] / c["seconds"]) for c in autos if c.get("predicted", 0) > 0]


def label(i):
    name = i["name"] if i["operation"] == "mxm" else f"L*L' {i['name']}"
    return name + (" *" if i["held_out"] else "")


def compression(i):
    return ratio(i["flops"] / i["result_entries"])


def chosen(i):
    c = contenders(i)[AUTO]
    return f"ROWWISE, {c['workflow']}" if c["method"] == "rowwise" else c["method"].upper()


def summary(results):
    inputs = results["run"]["inputs"]
    lines = [("automatic / best forced (regret)", [regret(i) for i in inputs]),
             ("... of inputs held out from fitting",
              [regret(i) for i in inputs if i["held_out"]])]
    for over, what in ((speedup, ""), (first_speedup, ", first call")):
        lines += [(f"{NAMES[peer]} / automatic{what}",
                   [s for s in (over(i, peer) for i in inputs) if s]) for peer in PEERS]
    rows = [[name, ratio(mean(values)), ratio(min(values)), ratio(max(values)), str(len(values))]
            for name, values in lines if values]
    text = table(["time of", "geometric mean", "least", "most", "inputs"], rows)
    errors = [abs(e) for e in prediction_errors(inputs)]
    if errors:
        text += (f"\n\nPredicted against measured seconds of the chosen way: median of "
                 f"abs(log2(predicted / measured)) {statistics.median(errors):.2f}, largest "
                 f"{max(errors):.2f}.")
    return text


def inputs(results):
    rows = []
    for i in results["run"]["inputs"]:
        predicted = contenders(i)[AUTO].get("predicted", 0)
        rows.append([label(i), count(i["flops"]), compression(i), ratio(i["fill"]),
                     time(seconds(i, AUTO)), chosen(i), NAMES[best_forced(i)[0]], ratio(regret(i)),
                     ratio(predicted / seconds(i, AUTO)) if predicted > 0 else ""] +
                    [ratio(speedup(i, peer)) for peer in PEERS])
    return table(["input", "flops", "compression ratio", "fill of A", "automatic", "chosen",
                  "best forced", "regret", "predicted / measured", "SuiteSparse / automatic",
                  "MKL / automatic"], rows)


def predictions(results):
    if not prediction_errors(results["run"]["inputs"]):
        return "These results were measured without predictions."
    return ("Predicted and measured seconds of every way that the automatic plan weighed; dotted: "
            "twice, half.\n\n![Predicted against measured](benchmarks-predicted.svg)")


def memory(results):
    names = [AUTO, "upper_bound", "estimate", "tiled", "outer", *PEERS]
    rows = [[label(i)] + [size(contenders(i)[n]["bytes"]) if "bytes" in contenders(i).get(n, {})
                          else "" for n in names]
            for i in results["run"]["inputs"] if i["flops"] > LARGE]
    return table(["input"] + [NAMES[n] for n in names], rows)


NO_FIRST = "These results were measured without first calls."


def first_calls(results):
    """Seconds of the first call beside warm ones."""
    rows, names = [], (AUTO, *PEERS)
    for i in results["run"]["inputs"]:
        if not first(i, AUTO):
            continue
        row = [label(i)]
        for name in names:
            cold = first(i, name)
            row += [time(seconds(i, name)), time(cold["seconds"]),
                    ratio(cold["seconds"] / seconds(i, name))] if cold else ["", "", ""]
        for peer in PEERS:
            row += [ratio(speedup(i, peer)), ratio(first_speedup(i, peer))]
        rows.append(row)
    heads = [f"{NAMES[n]}: {x}" for n in names for x in ("warm", "first", "first / warm")]
    heads += [f"{NAMES[n]} / automatic, {x}" for n in PEERS for x in ("warm", "first")]
    return table(["input"] + heads, rows) if rows else NO_FIRST


def resident(results):
    """Memory of the first call: resident beside counted, and what stays."""
    rows, names = [], (AUTO, *PEERS)
    for i in results["run"]["inputs"]:
        if not first(i, AUTO) or i["flops"] <= LARGE:
            continue
        row, mine = [label(i)], first(i, AUTO)["resident"]
        for name in names:
            f = first(i, name) or {}
            row += [size(f[key]) if key in f else "" for key in ("resident", "counted", "held")]
        rows.append(row + [ratio(first(i, peer)["resident"] / mine)
                           if first(i, peer) and mine > 0 else "" for peer in PEERS])
    heads = [f"{NAMES[n]}: {x}" for n in names for x in ("resident", "counted", "kept")]
    heads += [f"{NAMES[n]} / automatic, resident" for n in PEERS]
    return table(["input"] + heads, rows) if rows else NO_FIRST


def strangers(results):
    """Regret on matrices that nothing was fitted to."""
    found = [i for i in (results["regret"] or {"inputs": []})["inputs"] if i["held_out"]]
    if not found:
        return "Not measured yet; it needs `--data`."
    rows = [[label(i).rstrip(" *"), count(i["flops"]), compression(i), time(seconds(i, AUTO)),
             chosen(i), NAMES[best_forced(i)[0]], ratio(regret(i)),
             percent(contenders(i)[AUTO]["plan_share"])] for i in found]
    regrets = [regret(i) for i in found]
    shares = [contenders(i)[AUTO]["plan_share"] for i in found]
    return (f"Geometric mean {mean(regrets):.2f}, from {min(regrets):.2f} to {max(regrets):.2f}, "
            f"{len(found)} inputs; planning takes {percent(statistics.median(shares))} of a product "
            f"in the median, {percent(max(shares))} at the most.\n\n" +
            table(["input", "flops", "compression ratio", "automatic", "chosen", "best forced",
                   "regret", "planning"], rows))


def race_of(name):
    """Seconds of all contenders, and the geometric means of their times over the automatic choice."""
    def race(results):
        found = results[name]["inputs"]
        names = [n for n in dict.fromkeys(n for i in found for n in contenders(i)) if n != AUTO]
        rows = [[label(i), count(i["flops"]), compression(i), chosen(i), time(seconds(i, AUTO))] +
                [time(seconds(i, n)) if seconds(i, n) else "" for n in names] for i in found]
        means = [[speedup(i, n) for i in found if seconds(i, n)] for n in names]
        rows.append(["geometric mean / automatic", "", "", "", ""] +
                    [ratio(mean(m)) if m else "" for m in means])
        return table(["input", "flops", "compression ratio", "chosen", "automatic"] +
                     [NAMES.get(n, n) for n in names], rows)
    return race


# -- rows of two libraries

def overheads(results):
    rows = []
    for r in results["overhead"]["rows"]:
        if r["operation"] == "calls":
            mine, other = (r["seconds"].get(side) for side in ("gblite", "suitesparse"))
            rows.append([r["case"], f"{1e6 * mine:.2f}", f"{1e6 * other:.2f}" if other else "-",
                         ratio(other / mine) if other else "-"])
    return table(["call", "gblite (us)", "SuiteSparse (us)", "ratio"], rows)


def vectors(results):
    """Calls on sparse vectors: a row each, gblite's time and SuiteSparse's over it by entries."""
    found = {}
    for r in results["overhead"]["rows"]:
        if "entries" in r:
            found.setdefault(r["case"], {})[r["entries"]] = r["seconds"]
    sizes = sorted({entries for by in found.values() for entries in by})
    rows = [[name] + [cell for n in sizes for cell in (
        (f"{1e6 * by[n]['gblite']:.2f}", f"{by[n]['suitesparse'] / by[n]['gblite']:.1f}")
        if n in by else ("", ""))] for name, by in found.items()]
    return table(["call"] + [head for n in sizes for head in (f"{n:.0f} (us)", "ratio")], rows)


def updates(results):
    rows = []
    for r in results["updates"]["rows"]:
        mine, other = ((r.get("seconds") or r["bytes"])[side] for side in ("gblite", "suitesparse"))
        text = short_time if "seconds" in r else size
        rows.append([r["case"], text(mine), text(other), ratio(other / mine)])
    return table(["call", "gblite", "SuiteSparse", "ratio"], rows)


def short_time(x):
    return f"{1e6 * x:.2g} us" if x < 1e-5 else time(x)


SPMM_PEERS = {"mkl": "MKL", "mkl_optimized": "MKL, optimized", "suitesparse": "SuiteSparse",
              "rowwise": "as if not full"}


def spmm_means(results):
    rows = []
    for name in ("spmm_1", "spmm"):
        found = [r["seconds"] for r in results[name]["rows"]]
        rows += [[peer, str(results[name]["threads"])] +
                 spread([s[key] / s["gblite"] for s in found if key in s])
                 for key, peer in SPMM_PEERS.items()]
    return table(["", "threads", "mean", "least", "most"], rows)


def spmm_of(name):
    def one(results):
        rows = []
        for r in results[name]["rows"]:
            s = r["seconds"]
            rows.append([r["input"], r["case"].split()[0], time(s["gblite"]),
                         f"{2e-9 * r['flops'] / s['gblite']:.1f}"] +
                        [ratio(s[key] / s["gblite"]) if key in s else "" for key in SPMM_PEERS] +
                        [time(r["first"]), size(r["peak_bytes"])])
        return table(["A", "columns", "gblite", "GFLOPS", *SPMM_PEERS.values(), "first call",
                      "peak"], rows)
    return one


# -- chains

def order_chosen(chain):
    return chain["orders"][chain["chosen"]]


def best_order(chain):
    return min(o["seconds"] for o in chain["orders"])


def hits(results):
    chains = results["chain"]["chains"]
    near = sum(order_chosen(c)["seconds"] <= 1.1 * best_order(c) for c in chains)
    return (f"The order chosen is the quickest or within 10% of it in {near} of {len(chains)} "
            "chains.")


def chains_table(results):
    rows = [[c["name"], " ".join(c["factors"]), f"`{order_chosen(c)['order']}`",
             time(order_chosen(c)["seconds"]), time(best_order(c)),
             ratio(order_chosen(c)["seconds"] / best_order(c)),
             time(max(o["seconds"] for o in c["orders"])), time(c["chain_seconds"]),
             time(c["plan_again"])] for c in results["chain"]["chains"]]
    return table(["chain", "factors", "chosen", "its products", "best order", "ratio",
                  "worst order", "gbl_mxm_chain", "of it, plan"], rows)


def orders(results):
    rows = [[f"{c['name']} `{o['order']}`", count(o["flops"]), count(o["entries"]),
             time(o["predicted"]), time(o["seconds"])]
            for c in results["chain"]["chains"] for o in c["orders"]]
    return table(["order", "multiplications", "entries between", "predicted, one thread",
                  "measured"], rows)


# -- graphs

JOBS = {"bfs": "search", "sssp": "paths", "cc": "components", "pagerank": "PageRank",
        "bc": "betweenness", "tc": "triangles"}
SIDES = {"plain": "by hand", "gap": "GAP", "lagraph": "LAGraph"}


def gap_machine(results):
    results = results["graphs"]
    turns = sorted({row["turns"] for row in results["rows"]})
    fewest = dict.fromkeys(row["graph"] for row in results["rows"] if row["turns"] == turns[0])
    return (f"{results['machine']}, {results['threads']} threads, gblite {results['gblite']}, "
            f"medians of {results['rounds']} in {turns[-1]} turns"
            + (f" ({turns[0]} of {', '.join(fewest)})." if len(turns) > 1 else "."))


def over(row, peer):
    return row.get("over_" + peer, row[peer] / row["gblite"])


def gap_race(results):
    """A row for each graph and algorithm: milliseconds, and the peers' times over them."""
    rows = [[row["graph"], JOBS[row["job"]], f"{1e3 * row['gblite']:.2f}"] +
            [f"{over(row, peer):.2f}" if row.get(peer) else "" for peer in SIDES]
            for graph in dict.fromkeys(row["graph"] for row in results["graphs"]["rows"])
            for job in JOBS for row in results["graphs"]["rows"]
            if (row["graph"], row["job"]) == (graph, job)]
    return table(["graph", "algorithm", "gblite (ms)",
                  *(name + " / gblite" for name in SIDES.values())], rows)


def gap_means(results):
    lines = []
    for peer, name in SIDES.items():
        found = [[over(row, peer) for row in results["graphs"]["rows"]
                  if row["job"] in jobs and row.get(peer)]
                 for jobs in [[job] for job in JOBS] + [list(JOBS)]]
        lines += [[name + of] + [f"{measure(f):.2f}" if f else "" for f in found]
                  for of, measure in ((", mean", mean), (", least", min))]
    return table(["peer / gblite", *JOBS.values(), "all"], lines)


def mcl_clusters(results):
    rows = [[g["graph"], g["pruning"], c["name"],
             *(str(c.get(k, "")) for k in ("clusters", "apart_from_mcl", "apart_from_planted"))]
            for g in results["mcl"]["graphs"] for c in g["contenders"]]
    return table(["graph", "pruning", "program", "clusters", "apart from mcl",
                  "apart from planted"], rows)


def mcl_race(results):
    rows = []
    for g in (g for g in results["mcl"]["graphs"] if g["pruning"] == "usual"):
        peer = next((c["seconds"] for c in g["contenders"] if c["name"] == "mcl"), None)
        rows += [[g["graph"], count(g["entries"] // 2), c["name"], time(c["seconds"]),
                  ratio(peer / c["seconds"]) if peer else "", size(c["bytes"])]
                 for c in g["contenders"]]
    return table(["graph", "edges", "program", "wall", "mcl / it", "peak memory"], rows)


def machine_of(name):
    return lambda results: machine(results[name])


TABLES = {
    "benchmarks": {"machine": machine_of("run"), "summary": summary, "inputs": inputs,
                   "predictions": predictions, "memory": memory, "first": first_calls,
                   "resident": resident, "strangers": strangers, "overheads": overheads,
                   "lists": vectors, "overhead_machine": machine_of("overhead")},
    "spmm": {"machine": machine_of("spmm"), "means": spmm_means, "one": spmm_of("spmm_1"),
             "two": spmm_of("spmm")},
    "chains": {"machine": machine_of("chain"), "hits": hits, "chains": chains_table,
               "orders": orders},
    "graphs": {"gap_machine": gap_machine, "gap_race": gap_race, "gap_means": gap_means,
               "mcl_machine": machine_of("mcl"), "mcl_clusters": mcl_clusters,
               "mcl_race": mcl_race},
    "updates": {"machine": machine_of("updates"), "race": updates},
    "panel": {"machine": machine_of("panel"), "race": race_of("panel"),
              "same": race_of("panel_same"), "apart": race_of("panel_apart")},
    **{page: {"machine": machine_of(page), "race": race_of(page)}
       for page in ("rowwise", "tiled", "outer", "vector")}}
