# SPDX-License-Identifier: Apache-2.0
"""The package where numpy is all there is, and as pip gets it."""
import os
import pathlib
import subprocess
import sys
import tarfile

import gblite as gb

ROOT = pathlib.Path(__file__).resolve().parents[2]
ALONE = """
import sys
for name in ("scipy", "networkx", "torch", "h5py", "tqdm", "pandas"):
    sys.modules[name] = None
import numpy as np
import gblite as gb
A = gb.Matrix("rmat:8:8")
C = A.mxm(A) + A.T
assert (C @ np.ones(256)).shape == (256,) and (C @ np.ones((256, 3))).shape == (256, 3)
assert gb.triangles(gb.Matrix("rmats:8:8")) > 0 and gb.topn(A, A, 2).nvals > 0
assert gb.Matrix((A.to_coo()[2], A.to_coo()[:2]), A.shape).isequal(A)
A.max(), A.sum(0), A.power(2), A[3:5], A[0], abs(A), A < C, A.to_numpy(), gb.pagerank(A)
for call in (A.tocsr, lambda: gb.csr_array, lambda: A.rows(0, 1), lambda: gb.scipy):
    try:
        call()
    except ImportError as error:
        assert "pip install scipy" in str(error), error
    else:
        raise SystemExit("scipy is there")
"""


def test_numpy_is_enough():
    environment = dict(os.environ, PYTHONPATH=str(pathlib.Path(gb.__file__).parents[1]))
    subprocess.run([sys.executable, "-c", ALONE], check=True, env=environment)


def test_source_distribution(tmp_path):
    made = subprocess.run([sys.executable, "-B", ROOT / "python/make_sdist.py", tmp_path],
                          check=True, capture_output=True, text=True).stdout.strip()
    assert made == f"gblite-{gb.__version__}.tar.gz"
    with tarfile.open(tmp_path / made) as archive:
        archive.extractall(tmp_path)
    inside = tmp_path / made[: -len(".tar.gz")]
    about = (inside / "PKG-INFO").read_text(encoding="utf-8")
    assert f"Version: {gb.__version__}" in about and "Requires-Dist: numpy" in about
    assert 'source-dir = "."' in (inside / "pyproject.toml").read_text(encoding="utf-8")
    # All that is built is there.
    subprocess.run(["cmake", "-S", inside, "-B", tmp_path / "build", "-DGBLITE_PYTHON=ON",
                    "-DGBLITE_CLI=OFF", "-DGBLITE_CUDA=OFF", "-DSKBUILD=1"], check=True,
                   capture_output=True)
    again = subprocess.run([sys.executable, "-B", inside / "python/make_sdist.py", inside],
                           check=True, capture_output=True, text=True).stdout.strip()
    assert (inside / again).read_bytes() == (tmp_path / made).read_bytes()
