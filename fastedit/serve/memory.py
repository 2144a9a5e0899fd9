"""What the process's memory allocator keeps."""

from __future__ import annotations

import ctypes
import platform


def return_freed_memory() -> None:
    """Gives freed memory back to the system; does nothing where the C library is not glibc.

    glibc keeps it in the arena of the thread that allocated it, so each worker would hold what its largest edit took
    (malloc_trim(3)). Takes some 50 ms.
    """
    if platform.libc_ver()[0] == "glibc":
        ctypes.CDLL(None).malloc_trim(0)
