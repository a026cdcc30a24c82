"""Claims: a run says reproduced, not reproduced or cannot tell, where a row of an experiment decides."""

import re
import tomllib

import pytest

from actorbench.catalogue import all_experiments
from actorbench.claims import FILE, Claim, Finding, claim_texts, claims_of
from actorbench.errors import UserError
from actorbench.experiment import parse_experiment
from actorbench.project import Project
from actorbench.results import load_results
from conftest import RATIOS, SOURCE, Checkout


def ruled(*rules: str) -> str:
    """Let the rows of RATIOS (0.5, as a speed-up 2, memory 1) decide claims, one rule a row; "" is none."""
    text = RATIOS.replace('kind = "ratios"', 'kind = "ratios"\nclaims = ["T4", "T7"]')
    head, *rows = text.split("[[rows]]")
    rows = [f"\ndecides = {rule}{row}" if rule else row for row, rule in zip(rows, rules, strict=True)]
    return "[[rows]]".join([head, *rows])


def judged(checkout: Checkout, *rules: str, samples: int = 10) -> dict[str, Claim]:
    """Measure under the rules; gives the claims by id."""
    checkout.experiment(ruled(*rules), "ratios")
    assert checkout.call("sweep", "ratios", "--samples", str(samples), "--seed", "3") == 0
    return {claim.id: claim for claim in claims_of(load_results(checkout.only_run()))}


@pytest.mark.parametrize(
    ("rules", "finding"),
    [
        (('{ claim = "T4", at_most = 0.9 }', "", ""), Finding.REPRODUCED),
        (('{ claim = "T4", at_least = 0.9 }', "", ""), Finding.NOT_REPRODUCED),
        (("", '{ claim = "T4", at_least = 1.5 }', ""), Finding.REPRODUCED),
        (("", "", '{ claim = "T4", at_most = 1 }'), Finding.CANNOT_TELL),
        (('{ claim = "T4", at_least = 0.4, at_most = 0.6 }', "", ""), Finding.REPRODUCED),
        (('{ claim = "T4", at_least = 0.6, at_most = 0.9 }', "", ""), Finding.NOT_REPRODUCED),
        (('{ claim = "T4", at_most = 0.9 }', "", '{ claim = "T4", at_most = 1 }'), Finding.CANNOT_TELL),
        (('{ claim = "T4", at_most = 0.4 }', "", '{ claim = "T4", at_most = 1 }'), Finding.NOT_REPRODUCED),
        (('{ claim = "T4", at_most = 0.9, needs_cpus = 4096 }', "", ""), Finding.CANNOT_TELL),
        (("", "", ""), None),
    ],
)
def test_a_claim_is_what_its_rows_decide(
    checkout: Checkout, rules: tuple[str, ...], finding: Finding | None
) -> None:
    claims = judged(checkout, *rules)
    assert claims["T4"].finding == finding
    assert claims["T7"].finding is None, "nothing is guessed"


def test_few_samples_decide_no_claim(checkout: Checkout) -> None:
    (bound,) = judged(checkout, '{ claim = "T4", at_most = 0.9 }', "", "", samples=5)["T4"].bounds
    assert (bound.finding, bound.why) == (Finding.CANNOT_TELL, "the samples do not decide it")


def test_many_claims_need_more_samples(checkout: Checkout) -> None:
    rules = ['{ claim = "T4", at_most = 0.9 }', '{ claim = "T7", at_least = 1.5 }', ""]
    claims = judged(checkout, *rules, samples=6)
    assert claims["T4"].finding is Finding.CANNOT_TELL, "6 samples decide one bound, not two"


def test_a_machine_that_is_too_small_is_named(checkout: Checkout) -> None:
    claim = judged(checkout, '{ claim = "T4", at_most = 0.9, needs_cpus = 4096 }', "", "")["T4"]
    assert re.fullmatch(r"needs 4096 CPUs, the run had \d+", claim.bounds[0].why)


def test_table_and_report_show_the_claim(checkout: Checkout, capsys: pytest.CaptureFixture[str]) -> None:
    judged(checkout, '{ claim = "T4", at_most = 0.9 }', "", "")
    line = f"T4: {claim_texts()['T4']}: reproduced here"
    assert line in capsys.readouterr().out
    run = checkout.only_run()
    assert checkout.call("report", run.name) == 0
    page = (run.folder / "report.html").read_text()
    claims = page[page.index('id="claims"') : page.index('id="machine"')]
    assert claim_texts()["T4"].replace("'", "&#39;") in claims
    assert "claimed at most 0.9: reproduced here" in claims
    assert "shown, not decided" in claims


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ('{ claim = "T9", at_most = 1 }', r"rows\[0\]\.decides\.claim: 'T9' is not among the file's claims"),
        ('{ claim = "T4" }', r"rows\[0\]\.decides"),
        ("{ at_most = 1 }", r"rows\[0\]\.decides: lacks 'claim'"),
        ('{ claim = "T4", at_most = 0 }', r"rows\[0\]\.decides\.at_most: .*allowed: a number over 0"),
    ],
)
def test_a_wrong_rule_is_refused(rule: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        parse_experiment(ruled(rule, "", ""), "x.toml")


def test_texts_are_those_of_the_file() -> None:
    assert claim_texts() == tomllib.loads(FILE.read_text(encoding="utf-8"))


def test_every_claim_that_an_experiment_tests_has_a_text() -> None:
    tested = {claim for experiment in all_experiments(Project(SOURCE)) for claim in experiment.claims}
    assert tested <= claim_texts().keys()
    assert tested
