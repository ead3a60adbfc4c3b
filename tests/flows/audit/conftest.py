"""Lets the tests of this folder import `made_audits`; one small audit that several of them read."""

import sys
from pathlib import Path

import pytest

# Folders of tests are no packages.
sys.path.insert(0, str(Path(__file__).parent))

from made_audits import Audited, made_audit


@pytest.fixture(scope="session")
def audited(tmp_path_factory: pytest.TempPathFactory, cache: Path) -> Audited:
    """Return one finished audit; tests must not write into it."""
    return made_audit(tmp_path_factory.mktemp("audited"))
