# SPDX-License-Identifier: Apache-2.0
#
# The tables of docs/benchmarks.md.
from data import (AUTO, PEER_NAMES, PEERS, WAY_NAMES, best_forced, contenders,
                             geometric_mean, label, median, prediction_errors, regret, seconds,
                             speedup, speedups)
from page import count, percent, seconds as time, size, table


def ratio(x):
    return "" if x is None else f"{x:.2f}" if x < 100 else f"{x:.0f}"


def machine(results, crossings, overhead):
    mkl = f", {results['mkl'].split('-')[0]}" if results["mkl"] else ""
    return (f"{results['machine']}, {results['threads']} threads, {results['date']}; gblite "
            f"{results['gblite']}, SuiteSparse:GraphBLAS {results['suitesparse']}{mkl}. Medians of "
            f"{results['rounds']} rounds, 3 where a round takes more than a second. Other programs "
            f"used {percent(results['share_of_other_programs'], 0)} of the processors meanwhile.")


def spread(values):
    return [ratio(geometric_mean(values)), ratio(min(values)), ratio(max(values)),
            str(len(values))]


def summary(results, crossings, overhead):
    inputs = results["inputs"]
    held = [i for i in inputs if i["held_out"]]
    rows = [["automatic / best forced (regret)"] + spread([regret(i) for i in inputs]),
            ["... of inputs held out from fitting"] + spread([regret(i) for i in held])]
    rows += [[f"{PEER_NAMES[peer]} / automatic"] + spread(speedups(inputs, peer))
             for peer in PEERS if speedups(inputs, peer)]
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


def inputs(results, crossings, overhead):
    rows = [[label(i), count(i["products"]), ratio(i["products"] / i["result_entries"]),
             ratio(i["fill"]), time(seconds(i, AUTO)), chosen(i), WAY_NAMES[best_forced(i)[0]],
             ratio(regret(i)), predicted(i)] + [ratio(speedup(i, peer)) for peer in PEERS]
            for i in results["inputs"]]
    return table(["input", "products", "per entry of C", "fill of A", "automatic", "chosen",
                  "best forced", "regret", "predicted / measured", "SuiteSparse / automatic",
                  "MKL / automatic"], rows)


def predictions(results, crossings, overhead):
    if not prediction_errors(results["inputs"]):
        return "These results were measured without predictions."
    return ("Predicted and measured seconds of every way that the automatic plan weighed; dotted: "
            "twice, half.\n\n![Predicted against measured](benchmarks-predicted.svg)")


def memory(results, crossings, overhead):
    names = [AUTO, "upper_bound", "estimate", "tiled", "outer", *PEERS]
    rows = []
    for i in results["inputs"]:
        ran = contenders(i)
        if i["products"] > 1e6:
            rows.append([label(i)] + [size(ran[n]["bytes"]) if "bytes" in ran.get(n, {}) else ""
                                      for n in names])
    return table(["input"] + [WAY_NAMES.get(n, PEER_NAMES.get(n)) for n in names], rows)


def overheads(results, crossings, overhead):
    rows = []
    for c in overhead["calls"]:
        other = c.get("suitesparse")  # not there: SuiteSparse has no such call
        rows.append([c["name"], f"{c['gblite']:.2f}", f"{other:.2f}" if other else "-",
                     ratio(other / c["gblite"]) if other else "-"])
    return table(["call", "gblite (us)", "SuiteSparse (us)", "ratio"], rows)


TABLES = {"machine": machine, "summary": summary, "inputs": inputs,
          "predictions": predictions, "memory": memory,
          "overheads": overheads}
