#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# run.sh MPIEXEC PROCESSES PROGRAM [ARGUMENT...]: runs the program on so many processes of this
# machine, however few processors it has, and ends it after two minutes.
set -uo pipefail
mpiexec=$1 processes=$2
shift 2
options=(-n "$processes")
if "$mpiexec" --version 2>&1 | grep -q 'Open MPI\|OpenRTE'; then
    options+=(--oversubscribe --bind-to none --mca mpi_yield_when_idle 1)
    # without a network, and without what it writes to find one
    options+=(--mca btl self,vader --mca btl_vader_single_copy_mechanism none)
    [ "$(id -u)" -ne 0 ] || options+=(--allow-run-as-root)
fi
exec timeout --kill-after=5 120 "$mpiexec" "${options[@]}" "$@"
