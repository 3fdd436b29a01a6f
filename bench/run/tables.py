# SPDX-License-Identifier: Apache-2.0
#
# The tables of docs/benchmarks.md.
from data import (AUTO, PEER_NAMES, PEERS, WAY_NAMES, best_forced, contenders, first,
                  first_speedup, first_speedups, geometric_mean, label, median,
                  prediction_errors, regret, seconds, speedup, speedups)
from page import count, percent, seconds as time, size, table


LARGE = 1e6  # flops; what smaller products take of memory says nothing


def ratio(x):
    return "" if x is None else f"{x:.2f}" if x < 100 else f"{x:.0f}"


def machine(documents):
    results = documents["run"]
    mkl = f", {results['mkl'].split('-')[0]}" if results["mkl"] else ""
    return (f"{results['machine']}, {results['threads']} threads, {results['date']}; gblite "
            f"{results['gblite']}, SuiteSparse:GraphBLAS {results['suitesparse']}{mkl}. Medians of "
            f"{results['rounds']} rounds, 3 where a round takes more than a second. Other programs "
            f"used {percent(results['share_of_other_programs'], 0)} of the processors meanwhile.")


def spread(values):
    return [ratio(geometric_mean(values)), ratio(min(values)), ratio(max(values)),
            str(len(values))]


def summary(documents):
    inputs = documents["run"]["inputs"]
    held = [i for i in inputs if i["held_out"]]
    rows = [["automatic / best forced (regret)"] + spread([regret(i) for i in inputs]),
            ["... of inputs held out from fitting"] + spread([regret(i) for i in held])]
    rows += [[f"{PEER_NAMES[peer]} / automatic"] + spread(speedups(inputs, peer))
             for peer in PEERS if speedups(inputs, peer)]
    rows += [[f"{PEER_NAMES[peer]} / automatic, first call"] + spread(first_speedups(inputs, peer))
             for peer in PEERS if first_speedups(inputs, peer)]
    errors = prediction_errors(inputs)
    text = table(["time of", "geometric mean", "least", "most", "inputs"], rows)
    if errors:
        text += (f"\n\nPredicted against measured seconds of the chosen way: median of "
                 f"abs(log2(predicted / measured)) {median([abs(e) for e in errors]):.2f}, largest "
                 f"{max(abs(e) for e in errors):.2f}.")
    return text


def predicted(i):
    auto = contenders(i)[AUTO]
    return ratio(auto["predicted"] / auto["seconds"]) if auto.get("predicted", 0) > 0 else ""


def chosen(i):
    c = contenders(i)[AUTO]
    return f"ROWWISE, {c['workflow']}" if c["method"] == "rowwise" else c["method"].upper()


def inputs(documents):
    rows = [[label(i), count(i["flops"]), ratio(i["flops"] / i["result_entries"]),
             ratio(i["fill"]), time(seconds(i, AUTO)), chosen(i), WAY_NAMES[best_forced(i)[0]],
             ratio(regret(i)), predicted(i)] + [ratio(speedup(i, peer)) for peer in PEERS]
            for i in documents["run"]["inputs"]]
    return table(["input", "flops", "compression ratio", "fill of A", "automatic", "chosen",
                  "best forced", "regret", "predicted / measured", "SuiteSparse / automatic",
                  "MKL / automatic"], rows)


def predictions(documents):
    if not prediction_errors(documents["run"]["inputs"]):
        return "These results were measured without predictions."
    return ("Predicted and measured seconds of every way that the automatic plan weighed; dotted: "
            "twice, half.\n\n![Predicted against measured](benchmarks-predicted.svg)")


def memory(documents):
    names = [AUTO, "upper_bound", "estimate", "tiled", "outer", *PEERS]
    rows = []
    for i in documents["run"]["inputs"]:
        ran = contenders(i)
        if i["flops"] > LARGE:
            rows.append([label(i)] + [size(ran[n]["bytes"]) if "bytes" in ran.get(n, {}) else ""
                                      for n in names])
    return table(["input"] + [WAY_NAMES.get(n, PEER_NAMES.get(n)) for n in names], rows)


def first_calls(documents):
    """Seconds of the first call beside warm ones."""
    rows = []
    for i in documents["run"]["inputs"]:
        if not first(i, AUTO):
            continue
        row = [label(i)]
        for name in (AUTO, *PEERS):
            row += first_beside_warm(i, name)
        for peer in PEERS:
            row += [ratio(speedup(i, peer)), ratio(first_speedup(i, peer))]
        rows.append(row)
    if not rows:
        return "These results were measured without first calls."
    names = ["automatic", *(PEER_NAMES[peer] for peer in PEERS)]
    return table(["input"] + [f"{name}: {x}" for name in names
                              for x in ("warm", "first", "first / warm")] +
                 [f"{name} / automatic, {x}" for name in names[1:] for x in ("warm", "first")], rows)


def first_beside_warm(i, name):
    if not first(i, name):
        return ["", "", ""]
    warm, cold = seconds(i, name), first(i, name)["seconds"]
    return [time(warm), time(cold), ratio(cold / warm)]


def resident(documents):
    """Memory of the first call: resident beside counted, and what stays."""
    rows = []
    for i in documents["run"]["inputs"]:
        if not first(i, AUTO) or i["flops"] <= LARGE:
            continue
        row, mine = [label(i)], first(i, AUTO)["resident"]
        for name in (AUTO, *PEERS):
            f = first(i, name) or {}
            row += [size(f[key]) if key in f else "" for key in ("resident", "counted", "held")]
        row += [ratio(first(i, peer)["resident"] / mine) if first(i, peer) and mine > 0 else ""
                for peer in PEERS]
        rows.append(row)
    if not rows:
        return "These results were measured without first calls."
    names = ["automatic", *(PEER_NAMES[peer] for peer in PEERS)]
    return table(["input"] + [f"{name}: {x}" for name in names
                              for x in ("resident", "counted", "kept")] +
                 [f"{name} / automatic, resident" for name in names[1:]], rows)


def strangers(documents):
    """Regret on matrices that nothing was fitted to."""
    inputs = [i for i in documents["regret"]["inputs"] if i["held_out"]] \
        if documents["regret"] else []
    if not inputs:
        return "Not measured yet; it needs `--data`."
    rows = [[label(i).rstrip(" *"), count(i["flops"]), ratio(i["flops"] / i["result_entries"]),
             time(seconds(i, AUTO)), chosen(i), WAY_NAMES[best_forced(i)[0]], ratio(regret(i)),
             percent(contenders(i)[AUTO]["plan_share"])] for i in inputs]
    mean, least, most, n = spread([regret(i) for i in inputs])
    shares = [contenders(i)[AUTO]["plan_share"] for i in inputs]
    return (f"Geometric mean {mean}, from {least} to {most}, {n} inputs; planning takes "
            f"{percent(median(shares))} of a product in the median, {percent(max(shares))} at the "
            "most.\n\n" +
            table(["input", "flops", "compression ratio", "automatic", "chosen", "best forced",
                   "regret", "planning"], rows))


def overheads(documents):
    rows = []
    for c in documents["overhead"]["calls"]:
        other = c.get("suitesparse")  # not there: SuiteSparse has no such call
        rows.append([c["name"], f"{c['gblite']:.2f}", f"{other:.2f}" if other else "-",
                     ratio(other / c["gblite"]) if other else "-"])
    return table(["call", "gblite (us)", "SuiteSparse (us)", "ratio"], rows)


def lists(documents):
    """Calls on short lists: a row each, gblite's time and SuiteSparse's over it by entries."""
    found = {}
    for c in documents["overhead"]["lists"]:
        found.setdefault(c["name"], {})[c["entries"]] = c
    sizes = sorted({entries for by in found.values() for entries in by})
    rows = [[name] + [f"{by[n]['gblite']:.2f}, {by[n]['suitesparse'] / by[n]['gblite']:.1f}"
                      if n in by else "" for n in sizes] for name, by in found.items()]
    return table(["call"] + [f"{n:.0f}" for n in sizes], rows)


def overhead_machine(documents):
    results = documents["overhead"]
    return (f"{results['machine']}, {results['threads']} threads, gblite {results['gblite']}, "
            f"medians of {results['rounds']}.")


TABLES = {"machine": machine, "summary": summary, "inputs": inputs,
          "predictions": predictions, "memory": memory,
          "first": first_calls, "resident": resident, "strangers": strangers,
          "overheads": overheads, "lists": lists, "overhead_machine": overhead_machine}
