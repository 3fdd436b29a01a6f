# SPDX-License-Identifier: Apache-2.0
"""What pip calls: scikit-build-core makes wheels, make_sdist.py source distributions."""
import os
import sys

from scikit_build_core.build import *  # noqa: F403

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import make_sdist  # noqa: E402


def build_sdist(sdist_directory, config_settings=None):
    return make_sdist.make(sdist_directory)
