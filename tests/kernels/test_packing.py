from __future__ import annotations

import numpy as np
import pytest
import torch
from fastedit_kernels.packing import ALIGN, Packing, send

from tests.kernels.helpers import DEVICE


def test_arrays_arrive_as_sent_each_in_its_own_place():
    packing = Packing({"a": (3, 4), "b": (2,)}, DEVICE)
    found = packing.send({"a": np.array([[1, 2], [3, 4]]), "b": np.array([9])})
    assert found["a"].tolist() == [[1, 2, 0, 0], [3, 4, 0, 0]]
    assert found["b"].tolist() == [9]
    assert found["b"].storage_offset() % ALIGN == 0


def test_places_stay_and_narrower_arrays_leave_nothing_of_wider_ones():
    packing = Packing({"a": (2, 3)}, DEVICE)
    view = packing.views()["a"]
    for array in ([[1, 2, 3]], [[4]], [[5, 6]]):
        packing.send({"a": np.array(array)})
        assert view[0].tolist() == [*array[0], *[0] * (3 - len(array[0]))]


def test_work_that_was_asked_for_sees_what_was_sent_before_it_however_much_is_sent_after():
    packing, seen = Packing({"a": (1 << 16,)}, DEVICE), []
    for number in range(40):
        packing.send({"a": np.full(1 << 16, number)})
        seen.append(packing.views()["a"].clone())
    for number, array in enumerate(seen):
        assert torch.equal(array, torch.full_like(array, number))


def test_arrays_that_do_not_fit_are_refused_by_name():
    packing = Packing({"a": (2,)}, DEVICE)
    with pytest.raises(AssertionError, match="a"):
        packing.send({"a": np.arange(3)})


def test_a_packing_of_just_these_arrays_holds_them():
    assert send({"a": np.arange(5)}, DEVICE)["a"].tolist() == [0, 1, 2, 3, 4]
