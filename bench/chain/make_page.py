#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
#
# Measures chains of products and brings docs/chains.md up to date.
#
#   bench/chain/make_page.py [--build DIR] [--repeats N] [--draw-only]
#
# Runs bench/chain of a Release build, keeps its JSON in bench/results/chain.json, writes the tables
# of docs/chains.md and leaves everything else there alone. Fails when two orders gave different
# results.
import os
import sys

sys.dont_write_bytecode = True
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../harness"))
import page  # noqa: E402

NEAR = 1.1  # of the quickest order: as good as the best


def best(chain):
    return min(o["seconds"] for o in chain["orders"])


def chosen(chain):
    return chain["orders"][chain["chosen"]]


def machine(results):
    return (f"{results['machine']}, {results['threads']} threads, gblite {results['gblite']}, "
            f"medians of {results['rounds']}; other programs used "
            f"{page.percent(results['share_of_other_programs'], 0)} of the processors meanwhile.")


def hits(results):
    chains = results["chains"]
    near = sum(chosen(c)["seconds"] <= NEAR * best(c) for c in chains)
    return (f"The order chosen is the quickest or within 10% of it in {near} of {len(chains)} "
            f"chains.")


def chains(results):
    rows = [[c["name"], " ".join(c["factors"]), f"`{chosen(c)['order']}`",
             page.seconds(chosen(c)["seconds"]), page.seconds(best(c)),
             f"{chosen(c)['seconds'] / best(c):.2f}",
             page.seconds(max(o["seconds"] for o in c["orders"])),
             page.seconds(c["chain_seconds"]), page.seconds(c["plan_again"])]
            for c in results["chains"]]
    return page.table(["chain", "factors", "chosen", "its products", "best order", "ratio",
                       "worst order", "gbl_mxm_chain", "of it, plan"], rows)


def orders(results):
    rows = [[f"{c['name']} `{o['order']}`", page.count(o["flops"]), page.count(o["entries"]),
             page.seconds(o["predicted"]), page.seconds(o["seconds"])]
            for c in results["chains"] for o in c["orders"]]
    return page.table(["order", "multiplications", "entries between", "predicted, one thread",
                       "measured"], rows)


def main():
    options = page.parser("chains").parse_args()
    path = os.path.join(page.ROOT, "bench/results/chain.json")
    if not options.draw_only:
        program = os.path.join(options.build, "bench/chain")
        page.save(path, page.measure([program, "--repeats", str(options.repeats)]))
    tables = {"machine": machine, "hits": hits, "chains": chains, "orders": orders}
    page.write_tables(os.path.join(page.ROOT, "docs/chains.md"), tables, page.load(path))


if __name__ == "__main__":
    page.run("chain", main)
