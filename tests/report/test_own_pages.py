"""The report on one's own as whole files: an estimator, an escort policy's estimator, an update;
and their pages in a browser.
"""

from __future__ import annotations

import io
import json
import re

import numpy as np
import pikepdf
import pytest

from altpg_verify.exact import expected_update
from altpg_verify.report.__main__ import main
from altpg_verify.report.own import learning
from altpg_verify.report.own.simplex_figures import noiseless
from altpg_verify.report.simplex import grid
from tests.axe import DARK
from tests.report import own_estimators
from tests.report.browser import browse, clipped, in_browser, noted, serious
from tests.report.pdf_rules import RULES

TARGETS = {
    "half_regular": ["tests.report.own_estimators:half_regular"],
    "clipped": ["tests.report.own_estimators:clipped"],
    "by_reward": ["tests.report.own_estimators:by_reward", "--policy", "escort:2"],
    "own_mean": ["tests.report.own_updates:scaled"],
}
CODES = {"half_regular": 1, "clipped": 1, "by_reward": 1, "own_mean": 1}


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """(name) -> its files, each report built once, without simulations."""
    known: dict[str, dict[str, bytes]] = {}

    def files(name: str) -> dict[str, bytes]:
        if name not in known:
            out = tmp_path_factory.mktemp(name)
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(
                    learning,
                    "learn",
                    lambda estimators, group, done: ([], "there are no simulations in this test"),
                )
                code = main(
                    [
                        "--estimator",
                        *TARGETS[name],
                        "--out",
                        str(out),
                        "--max-examples",
                        "5",
                        "--quiet",
                    ]
                )
            assert code == CODES[name]
            known[name] = {path.name: path.read_bytes() for path in out.iterdir() if path.is_file()}
        return known[name]

    return files


def words(page: bytes) -> str:
    plain = re.sub(r"<style>.*?</style>|<script>.*?</script>", "", page.decode(), flags=re.DOTALL)
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", plain))


class TestAsFiles:
    pytestmark = pytest.mark.slow

    def test_an_escort_policys_estimator(self, built):
        files = built("by_reward")
        assert set(files) == {"by_reward.pdf", "by_reward.html", "by_reward.json"}
        reported = words(files["by_reward.html"])
        assert "What needs action" in reported
        assert "It is the flow of an escort policy with positive preferences" in reported
        points = json.loads(files["by_reward.json"])["fixed_points"]
        assert (
            "attractor π* = (4/49, 9/49, 36/49)"
            in next(one for one in points if one["estimator"] == "by_reward")["found"][0]
        )

    def test_the_pdf_keeps_the_rules_and_page_one_is_whole(self, built):
        with pikepdf.open(io.BytesIO(built("by_reward")["by_reward.pdf"])) as file:
            assert {name: rule(file) for name, rule in RULES.items()} == {
                name: [] for name in RULES
            }
            assert len(file.pages) <= 10

    def test_absent_properties_are_grey_and_only_faults_are_red(self, built):
        page = built("by_reward")["by_reward.html"].decode()
        data = json.loads(built("by_reward")["by_reward.json"])
        for result in data["results"]:
            shown = re.search(
                r'data-verdict="([^"]*)"[^>]*><span[^>]*>.*?</span> <a'
                rf' href="#claim-{result["law"]}"',
                page,
            )
            assert shown
            assert (shown[1] == "REFUTED") is (not result["ok"] and result["verdict"] == "REFUTED")


class TestInABrowser:
    pytestmark = in_browser

    @pytest.mark.parametrize("name", TARGETS)
    def test_axe_finds_nothing_serious(self, tmp_path, built, name):
        reported = serious(tmp_path, built(name)[f"{name}.html"])
        assert reported["checked"] > 10
        assert reported["grave"] == []

    def test_nor_in_the_dark(self, tmp_path, built):
        assert serious(tmp_path, built("own_mean")["own_mean.html"], *DARK)["grave"] == []

    @pytest.mark.parametrize("width", [390, 1280])
    @pytest.mark.parametrize("name", TARGETS)
    def test_no_formula_is_clipped(self, tmp_path, built, name, width):
        number, beyond = clipped(tmp_path, built(name)[f"{name}.html"], width)
        assert number >= 3
        assert beyond == ""

    @pytest.mark.parametrize("b", [4, -1.5])
    def test_the_simplex_is_moved_by_the_users_own_formula(self, tmp_path, built, b):
        dom = browse(
            tmp_path, built("half_regular")["half_regular.html"], f"?b={b}&start=0.2,0.3,0.5"
        )
        assert noted(dom, "errors") is None
        wanted = expected_update(own_estimators.half_regular, noiseless((0.2, 0.3, 0.5), b)).astype(
            float
        )
        assert np.allclose(
            list(map(float, str(noted(dom, "update")).split(","))), wanted, rtol=0, atol=1e-12
        )

    @pytest.mark.parametrize("place", [0, 77, 250, 495])
    def test_on_the_grid_it_has_the_enumerated_update(self, tmp_path, built, place):
        policy = grid(30)[place]
        dom = browse(
            tmp_path,
            built("clipped")["clipped.html"],
            f"?b=2.4&start={','.join(map(repr, map(float, policy)))}",
        )
        assert noted(dom, "errors") is None
        wanted = expected_update(own_estimators.clipped, noiseless(policy, 2.0)).astype(float)
        assert np.allclose(
            list(map(float, str(noted(dom, "update")).split(","))), wanted, rtol=0, atol=2e-6
        )
        assert "precomputed" in dom

    def test_between_the_policies_of_the_grid_it_is_near(self, tmp_path, built):
        dom = browse(tmp_path, built("clipped")["clipped.html"], "?b=2&start=0.217,0.333,0.45")
        wanted = expected_update(
            own_estimators.clipped, noiseless((0.217, 0.333, 0.45), 2.0)
        ).astype(float)
        assert np.allclose(
            list(map(float, str(noted(dom, "update")).split(","))), wanted, rtol=0, atol=2e-3
        )

    def test_the_fixed_point_of_an_escort_policy(self, tmp_path, built):
        dom = browse(tmp_path, built("by_reward")["by_reward.html"], "?b=4")
        assert noted(dom, "errors") is None
        assert noted(dom, "kind") == "attractor"
        assert np.allclose(
            list(map(float, str(noted(dom, "fixed")).split(","))),
            np.array([4, 9, 36]) / 49,
            rtol=0,
            atol=3e-3,
        )

    def test_an_update_has_no_rewards_or_baseline_to_move(self, tmp_path, built):
        dom = browse(tmp_path, built("own_mean")["own_mean.html"], "?b=1")
        assert noted(dom, "errors") is None
        assert re.search(r'<input type="number" id="number-r0"[^>]*disabled', dom)
        assert re.search(r'class="quantity" style="display: none;"><label for="number-b"', dom)
