"""CITATION.cff: what version 1.2.0 of the format asks for, the version of the package, and the
paper.
"""

from __future__ import annotations

import re
import tomllib

import pytest

from altpg_verify import __version__
from tests.docs.pages import ROOT

TEXT = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def field(name: str) -> str:
    """A top-level entry on one line."""
    (found,) = re.findall(rf"^{name}: (.+)$", TEXT, flags=re.MULTILINE)
    return found


def test_it_says_what_the_package_says():
    assert field("cff-version") == "1.2.0"
    assert field("message")
    assert field("title") == PROJECT["name"]
    assert field("version") == __version__
    assert field("license") == PROJECT["license"]


def test_it_cites_the_paper_with_its_authors_in_order():
    assert "title: An Alternate Policy Gradient Estimator for Softmax Policies" in TEXT
    assert re.findall(r"family-names: (\w+)", TEXT) == [
        "Garg",
        "Tosatto",
        "Pan",
        "White",
        "Mahmood",
    ]


def test_it_is_yaml_with_the_entries_that_the_format_knows():
    yaml = pytest.importorskip("yaml")
    found = yaml.safe_load(TEXT)
    assert set(found) <= {
        *("cff-version", "message", "type", "title", "abstract", "authors", "version"),
        *("license", "keywords", "references"),
    }
    assert all(set(author) == {"name"} for author in found["authors"])
    (paper,) = found["references"]
    assert paper["type"] == "conference-paper"
    assert paper["year"] == 2022
    assert all(set(author) == {"family-names", "given-names"} for author in paper["authors"])
    assert paper["conference"]["name"]
    assert set(paper) <= {
        "type",
        "title",
        "authors",
        "year",
        "collection-title",
        "conference",
        "scope",
    }
