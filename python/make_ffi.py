#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
#
# make_ffi.py CC INCLUDE_DIR OUTPUT: writes gblite/_ffi.py, the declarations of interface.h as cffi
# reads them in its ABI mode. The module is plain Python, the same for every version of it, and
# nothing has to be parsed when it is imported.
import os
import re
import subprocess
import sys

import cffi


def declarations(compiler, include):
    """interface.h and the headers of gblite after the preprocessor, without those of the system."""
    here = os.path.dirname(os.path.abspath(__file__))
    text = subprocess.run(
        # Complex numbers become structs: cffi does not pass C's own by value.
        [compiler, "-E", "-D__STDC_NO_COMPLEX__", "-I", include, os.path.join(here, "interface.h")],
        check=True, capture_output=True, text=True).stdout
    kept, ours = [], False
    for line in text.splitlines():
        marker = re.match(r'# \d+ "([^"]*)"', line)
        if marker:
            ours = os.path.basename(marker[1]).startswith(("gblite", "interface"))
        elif ours and not line.startswith("#"):
            kept.append(line)
    return "\n".join(kept)


def main():
    compiler, include, output = sys.argv[1:]
    builder = cffi.FFI()
    builder.cdef(declarations(compiler, include))
    builder.set_source("gblite._ffi", None)
    builder.emit_python_code(output)


main()
