"""What tests of jobs share."""

import pytest


@pytest.fixture
def committed(transactional_db: None) -> None:
    """A database that other processes see."""
