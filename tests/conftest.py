"""What holds for every test: laws are tried the same way each time, and where everything is installed nothing is skipped."""

from __future__ import annotations

import os
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

CI = os.environ.get("CI") == "true"

# a slow machine is no fault; on CI the examples are the same each time, so that a failure there can be repeated here
settings.register_profile("bobing", deadline=None)
settings.register_profile("bobing-ci", deadline=None, derandomize=True)
settings.load_profile("bobing-ci" if CI else "bobing")


@pytest.fixture(scope="session")
def pictures() -> Path:
    """The folder with the photos and simulated throws that do not lie in the repository."""
    folder = os.environ.get("BOBING_PICTURES")
    if not folder:
        pytest.skip("set BOBING_PICTURES to the folder that holds `real` and `sim-dev` to run this test")
    return Path(folder)


def _no_skip(report: Any) -> None:
    """A skip where everything should be installed is a failure that gives the reason."""
    if CI and report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        report.outcome = "failed"
        report.longrepr = f"under CI=true nothing may be skipped. {reason}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, Any, Any]:
    report = yield
    _no_skip(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, Any, Any]:
    report = yield
    _no_skip(report)
    return report
