"""The plan: which cell is measured when, and what of it is written and read."""

import json
from collections import Counter

import pytest

from actorbench.cell import Cell
from actorbench.plan import Plan, Slot, draw_blocks, make_paired_plan, make_plan, plan_from_json

A, B, C, D, E = (Cell("release", "message-centric", name, 1, 1, (), ()) for name in "abcde")
EACH = Plan((A, B, C), ((2, 0), (1,), (1, 2, 0)))


def test_slots_come_in_the_order_of_measurement() -> None:
    slots = [Slot(0, 0, C), Slot(0, 1, A), Slot(1, 0, B), Slot(2, 0, B), Slot(2, 1, C), Slot(2, 2, A)]
    assert list(EACH.slots()) == slots
    assert EACH.size == 6
    assert [EACH.samples_of(cell) for cell in (A, B, C)] == [2, 2, 2]
    assert make_plan({A: 1, B: 3}, 1).samples_of(B) == 3


def test_a_plan_is_written_and_read() -> None:
    assert plan_from_json(json.loads(json.dumps(EACH.to_json()))) == EACH
    assert EACH.to_json()["rounds"] == [[2, 0], [1], [1, 2, 0]]


@pytest.mark.parametrize("number", [-1, 3])
def test_a_round_names_only_cells_of_the_plan(number: int) -> None:
    document = EACH.to_json()
    document["rounds"][1] = [0, number]
    with pytest.raises(IndexError, match=r"^a round names a cell that the plan does not hold$"):
        plan_from_json(document)


def test_a_cell_is_in_as_many_rounds_as_it_has_samples() -> None:
    """In the first ones, beside the others: who gets fewer is measured no later than the rest."""
    plan = make_plan({A: 3, B: 1, C: 0, D: 2}, 1)
    assert [sorted(order) for order in plan.rounds] == [[0, 1, 3], [0, 3], [0]]
    assert plan.cells == (A, B, C, D)
    assert make_plan({}, 1) == Plan((), ())


def test_the_seed_draws_the_order_of_each_round() -> None:
    wanted = dict.fromkeys((A, B, C), 600)
    plan = make_plan(wanted, 1)
    assert plan == make_plan(wanted, 1)
    assert plan != make_plan(wanted, 2)
    orders = Counter(plan.rounds)
    assert len(orders) == 6
    assert min(orders.values()) > 70, "each order of three about 100 times"


def test_a_longer_plan_begins_as_the_shorter() -> None:
    """A budget that is fitted after one round goes on with the rounds that were drawn."""
    assert make_plan({A: 9, B: 9}, 5).rounds[:4] == make_plan({A: 4, B: 4}, 5).rounds


def test_pairs_are_measured_one_after_the_other() -> None:
    plan = make_paired_plan([(A, B), (C, D)], 400, 1)
    assert plan == make_paired_plan([(A, B), (C, D)], 400, 1)
    assert plan != make_paired_plan([(A, B), (C, D)], 400, 2)
    assert plan.cells == (A, B, C, D)
    assert len(plan.rounds) == 400
    assert {frozenset(order[:2]) for order in plan.rounds} == {frozenset({0, 1}), frozenset({2, 3})}
    turned = [(order.index(0) < order.index(1), order.index(2) < order.index(3)) for order in plan.rounds]
    for number in range(0, 400, 2):
        assert turned[number + 1] == tuple(not one for one in turned[number]), "blocks of ABBA or BAAB"
    drawn = Counter(turned[::2])
    assert len(drawn) == 4
    assert min(drawn.values()) > 30, "each pair draws its own"
    first = Counter(order[0] < 2 for order in plan.rounds)
    assert min(first.values()) > 150, "and the order of pairs is drawn in each round"


def test_all_that_are_compared_are_measured_one_after_the_other() -> None:
    """Each of three with each, and a pair: its cells come together only with the last pair."""
    plan = make_paired_plan([(A, B), (C, D), (B, E), (A, E)], 40, 1)
    assert plan.cells == (C, D, A, B, E)
    assert {frozenset(order[:2]) for order in plan.rounds} <= {
        frozenset({0, 1}),
        frozenset({2, 3}),
        frozenset({3, 4}),
        frozenset({2, 4}),
    }
    for number in range(0, 40, 2):
        order, turned = ([i for i in plan.rounds[n] if i > 1] for n in (number, number + 1))
        assert turned == order[::-1]
        assert sorted(order) == [2, 3, 4]
        assert plan.rounds[number][:2] in ((0, 1), (1, 0)) or plan.rounds[number][3:] in ((0, 1), (1, 0))
    joined = make_paired_plan([(A, B), (C, D), (B, C)], 2, 1)
    assert joined.cells == (A, B, C, D), "a pair joins two groups"


def test_groups_of_fewer_rounds_come_first_and_end() -> None:
    rounds = draw_blocks({"a": [4, 5], "b": [0], "c": [7]}, {"a": 1, "b": 3, "c": 0}, 1)
    assert [sorted(order) for order in rounds] == [[0, 4, 5], [0], [0]]
    assert draw_blocks({}, {}, 1) == ()
