"""What many tests of the server share."""

from collections.abc import Iterator

import pytest

from tests.server.postgres import Postgres, running


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A PostgreSQL for all tests that only need a database of their own in it."""
    with running() as server:
        yield server
