"""Savina's workloads with parameters that are drawn: each verifies its result, in every design.

Where the drawn ones may lie says workloads/workloads.toml; what fails is made as small as it can be.
"""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from conftest import DESIGNS, WORKLOADS, verified_record

DRAWN = [name for name, workload in WORKLOADS.items() if "random" in workload]
EXAMPLES = 2  # of each workload and design


def values_of(allowed: str | list[int]) -> st.SearchStrategy[int]:
    """Draw from a range, such as "1..9", or from a list."""
    if isinstance(allowed, list):
        return st.sampled_from(allowed)
    least, most = map(int, allowed.split(".."))
    return st.integers(least, most)


def parameters_of(workload: str) -> st.SearchStrategy[dict[str, int]]:
    """Draw all of a workload's parameters that the manifest has values for."""
    return st.fixed_dictionaries(
        {name: values_of(allowed) for name, allowed in WORKLOADS[workload]["random"].items()}
    )


@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize("workload", DRAWN)
def test_a_workload_verifies_its_result_whatever_its_size(workload: str, design: str) -> None:
    @settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(parameters_of(workload))
    def verifies(parameters: dict[str, int]) -> None:
        arguments = [text for name, value in parameters.items() for text in (f"--{name}", str(value))]
        for workers in ("1", "4", "16"):
            record = verified_record("release", workload, "--workers", workers, *arguments, design=design)
            assert parameters.items() <= record["parameters"].items()

    verifies()


def test_all_of_savina_is_drawn() -> None:
    assert {name for name, workload in WORKLOADS.items() if "savina" in workload} <= set(DRAWN)
