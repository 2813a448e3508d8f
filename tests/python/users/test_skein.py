"""Skein reads the application that docs/deployment has for YARN. No YARN is asked."""

from pathlib import Path

import pytest

pytestmark = pytest.mark.users


def test_the_application_is_one_of_skeins():
    skein = pytest.importorskip("skein", reason="skein is not installed: make users", exc_type=ImportError)
    made = skein.ApplicationSpec.from_file(str(Path(__file__).parents[3] / "docs/deployment/yarn.yaml"))
    assert (
        set(made.services) == {"dask.scheduler", "dask.worker"} and made.services["dask.worker"].resources.vcores == 4
    )
