"""What the process keeps in memory."""

from __future__ import annotations

import atexit
import ctypes
import gc
import platform


def return_freed_memory() -> None:
    """Gives freed memory back to the system; does nothing where the C library is not glibc.

    glibc keeps it in the arena of the thread that allocated it, so each worker would hold what its largest edit took
    (malloc_trim(3)). Takes some 50 ms.
    """
    if platform.libc_ver()[0] == "glibc":
        ctypes.CDLL(None).malloc_trim(0)


def keep_loaded() -> None:
    """Has garbage collection pass over all that there is now, which is there to stay: half a million objects of torch
    and the model, through which a full collection takes a quarter of a second while all threads wait."""
    gc.collect()
    gc.freeze()
    atexit.register(gc.unfreeze)  # extensions would report what is frozen at the end as leaks
