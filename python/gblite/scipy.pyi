# SPDX-License-Identifier: Apache-2.0
from collections.abc import Callable
from typing import Any

import scipy.sparse
from typing_extensions import Self

LEAST_ENTRIES: int

class _Fast:
    def dot(
        self,
        other: Any,
        semiring: str = "plus_times",
        mask: Any = None,
        explain: bool = False,
        **to: Any,
    ) -> Any: ...

class csr_array(_Fast, scipy.sparse.csr_array): ...  # type: ignore[misc]
class csc_array(_Fast, scipy.sparse.csc_array): ...  # type: ignore[misc]

class accelerate:
    def __init__(
        self, least: int | None = ..., report: Callable[[str], object] | None = None
    ) -> None: ...
    def start(self) -> Self: ...
    def stop(self) -> None: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, *error: object) -> None: ...

def matmul(A: Any, B: Any) -> Any: ...
