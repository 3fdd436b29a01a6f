# SPDX-License-Identifier: Apache-2.0
#
# The tables of docs/rowwise.md, made from the documents of bench/rowwise and bench/compare.
import math

from page import count, percent, seconds, table

GROUPS = {"all": "all", "upper bound": "chose upper bound", "estimate": "chose estimate",
          "symbolic": "chose symbolic"}
TIMES = ["analysis", "sketch", "estimate", "symbolic", "numeric", "compact", "sort", "rest"]


def small_percent(x):
    return "0" if x == 0 else "<0.01%" if x < 1e-4 else percent(x, 2)


def machine(rowwise, compare):
    busy = percent(rowwise["share_of_other_programs"], 0)
    return (f"{rowwise['machine']}, {rowwise['threads']} threads, gblite {rowwise['gblite']}, "
            f"medians of {rowwise['rounds']}; other programs used {busy} of the processors "
            f"meanwhile. SuiteSparse's times: {compare['machine']}.")


def inputs(rowwise, compare):
    rows = [[i["name"], count(i["rows"]), count(i["entries"]), count(i["flops"]),
             count(i["result_entries"]), f"{i['flops_mean']:.1f}",
             f"{i['expansion_ratio']:.1f}", f"{i['compression_ratio']:.1f}", i["workflow"]]
            for i in rowwise["inputs"]]
    return table(["input", "rows of A", "entries of A", "flops", "entries of C",
                  "flops per row", "ER", "CR", "workflow"], rows)


def errors(rowwise, compare):
    rows = []
    for mean in rowwise["summary"]["errors"]:
        if mean["group"] not in ("all", "estimate"):
            continue
        rows.append([GROUPS[mean["group"]] + f" ({mean['inputs']})", str(mean["registers"]),
                     percent(mean["mean_error"]), percent(mean["mean_error_unclamped"]),
                     percent(mean["deviation"]), small_percent(mean["overflow"]),
                     small_percent(mean["overflow_most"]), small_percent(mean["overflow_ocean"]),
                     small_percent(mean["overflow_ocean_most"])])
    return table(["inputs", "registers", "error of a row", "without bounds", "deviation",
                  "overflow", "most", "overflow, Ocean's rule", "most"], rows)


def sampling(rowwise, compare):
    rows = []
    for mean in rowwise["summary"]["errors"]:
        if mean["group"] not in ("all", "estimate"):
            continue
        rows.append([GROUPS[mean["group"]] + f" ({mean['inputs']})", str(mean["registers"]),
                     percent(mean["compression_error"]), percent(mean["nvals_error"]),
                     percent(mean["stated_error"]), percent(mean["within_stated"], 0)])
    return table(["inputs", "registers", "error of CR", "error of nvals", "stated bound",
                  "within it"], rows)


def times(rowwise, compare):
    rows = []
    for i in rowwise["inputs"]:
        t = i["times"]
        rows.append([i["name"], seconds(t["total"])] +
                    [percent(t[key] / t["total"]) for key in TIMES] + [seconds(t["sketch_cold"])])
    for mean in rowwise["summary"]["times"]:
        rows.append([f"mean, {GROUPS[mean['group']]} ({mean['inputs']})", ""] +
                    [percent(mean[key]) for key in TIMES] + [""])
    return table(["input", "total"] + TIMES + ["sketch, cold"], rows)


def choice(rowwise, compare):
    rows = []
    for i in rowwise["inputs"]:
        c = i["choice"]
        rows.append([i["name"]] + [seconds(c[key]) for key in
                                   ("upper bound", "estimate", "symbolic", "auto")] +
                    [c["chosen"], c["best"], f"{c['loss']:.2f}" if "loss" in c else ""])
    return table(["input", "upper bound", "estimate", "symbolic", "auto", "chosen", "best",
                  "chosen / best"], rows)


def right(rowwise, compare):
    rows = [[GROUPS[s["group"]], str(s["inputs"]), str(s["best"]), f"{s['right']:.0f}",
             str(s["faster_than_symbolic"]), str(s["slower_than_estimate"]), f"{s['loss']:.3f}"]
            for s in rowwise["summary"]["choice"]]
    return table(["inputs", "number", "best", "within 5% of the best", "5% faster than symbolic",
                  "5% slower than estimate", "mean of chosen / best"], rows)


def ratio(item):
    return f"{item['mean']:.2f} ({item['least']:.2f} to {item['most']:.2f})"


def ablation(rowwise, compare):
    keys = ["V2 over V1", "V3 over V2", "V4 over V3", "V4 over V1", "auto over V1"]
    rows = [[f"{GROUPS[s['group']]} ({s['inputs']})"] + [ratio(s[key]) for key in keys]
            for s in rowwise["summary"]["ablation"]]
    return table(["inputs"] + keys, rows)


def versions(rowwise, compare):
    rows = []
    for i in rowwise["inputs"]:
        a = i["ablation"]
        rows.append([i["name"], seconds(a["V1"])] +
                    [f"{a['V1'] / a[key]:.2f}" for key in ("V2", "V3", "V4", "auto")])
    return table(["input", "V1", "V2", "V3", "V4", "auto"], rows)


def scaling(rowwise, compare):
    rows = []
    for i in rowwise["inputs"]:
        s = i["scaling"]
        rows.append([i["name"], seconds(s["one"]), seconds(s["all"]), f"{s['speedup']:.2f}"])
    rows += [[f"mean, {GROUPS[s['group']]} ({s['inputs']})", "", "", ratio(s["speedup"])]
             for s in rowwise["summary"]["scaling"]]
    return table(["input", "one thread", f"{rowwise['threads']} threads", "speedup"], rows)


def suitesparse(rowwise, compare):
    rows = [[r["input"], r["workflow"] or r["method"], seconds(r["suitesparse_seconds"]),
             seconds(r["gblite_seconds"]), f"{r['ratio']:.2f}"] for r in compare["rows"]]
    mean = math.exp(sum(math.log(r["ratio"]) for r in compare["rows"]) / len(compare["rows"]))
    rows.append([f"geometric mean ({len(compare['rows'])})", "", "", "", f"{mean:.2f}"])
    return table(["input", "workflow", "SuiteSparse", "gblite", "ratio"], rows)


TABLES = {"machine": machine, "inputs": inputs, "errors": errors, "sampling": sampling,
          "times": times, "choice": choice, "right": right, "ablation": ablation,
          "versions": versions, "scaling": scaling, "suitesparse": suitesparse}
