#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""match_names.py [COUNT]: finds the company that a misspelled name means.

Names become rows of trigram weights of length 1 (scikit-learn's vectoriser where that is installed,
else the few lines below); the best match of each is the largest entry of its row in M @ C.T, which
is never stored whole.
"""
import random
import sys
import time

import numpy as np

import gblite as gb

_WORDS = """north south east west blue green red silver golden river stone bridge harbour lake
alpine pacific atlantic baltic metro urban rapid prime global first united royal general modern data steel
power water energy paper textile glass timber cargo freight air rail motor foods dairy bakery media
press music games health dental pharma care legal credit""".split()


def trigram_vectors(*lists):
    """A matrix for each list of names: a row a name, a column a trigram, rows of length 1."""
    try:
        from sklearn.feature_extraction.text import TfidfVectorizer

        vectors = TfidfVectorizer(analyzer="char", ngram_range=(3, 3), dtype=np.float32)
        vectors.fit([name for names in lists for name in names])
        return [gb.Matrix(vectors.transform(names)) for names in lists]
    except ImportError:
        number = {}
        parts = [_counts(names, number) for names in lists]
        matrices = [gb.Matrix(part, (len(names), len(number)))
                    for part, names in zip(parts, lists)]
    common = sum(M.reduce_columns("plus").to_numpy() for M in matrices)
    weight = np.log(common.sum() / common)
    for k, M in enumerate(matrices):
        i, j, x = M.to_coo()
        x = x * weight[j]
        x /= np.sqrt(np.bincount(i, x * x, M.shape[0]))[i]
        matrices[k] = gb.Matrix((x.astype(np.float32), (i, j)), M.shape)
    return matrices


def _counts(names, number):
    rows, columns = [], []
    for row, name in enumerate(names):
        for at in range(len(name) - 2):
            rows.append(row)
            columns.append(number.setdefault(name[at : at + 3], len(number)))
    return np.ones(len(rows)), (rows, columns)


def make_names(count, seed=1):
    """(companies, the same misspelled)"""
    chance = random.Random(seed)
    names = [f"{' '.join(chance.sample(_WORDS, 3))} {chance.randrange(10**6)} ltd"
             for _ in range(count)]
    typed = []
    for name in names:
        at = chance.randrange(len(name) - 8)
        typed.append(name[:at] + name[at + 1 :])  # a letter is missing
    return names, typed


def main(count=10_000):
    names, typed = make_names(count)
    M, C = trigram_vectors(typed, names)
    started = time.perf_counter()
    best = gb.topn(M, C.T, 1, threshold=0.3)
    took = time.perf_counter() - started
    i, j, _ = best.to_coo()
    right = np.count_nonzero(i == j)
    print(f"{right} of {count} names are matched with the right one, {took:.2f} s")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
