import numpy as np
import pytest

from memory_app.embedding.vectors import BadVector, EmbeddingError, check_vectors, to_unit_length


def test_good_vectors_pass_as_float32() -> None:
    rows = check_vectors([[1.0, 2.0], [0.0, -3.0]], 2)
    assert rows.dtype == np.float32
    assert rows.tolist() == [[1.0, 2.0], [0.0, -3.0]]


def test_no_vectors_at_all_are_fine() -> None:
    assert check_vectors(np.empty((0, 2)), 2).shape == (0, 2)


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), float("-inf"), 1e300])
def test_a_number_that_float32_cannot_hold_is_refused_with_its_row(bad: float) -> None:
    with pytest.raises(BadVector, match=r"vector 1 of 2 holds NaN or infinity"):
        check_vectors([[1.0, 0.0], [0.5, bad]], 2)


@pytest.mark.parametrize("nothing", [0.0, 1e-9])
def test_a_zero_vector_is_refused_with_its_row(nothing: float) -> None:
    with pytest.raises(BadVector, match=r"vector 0 of 2 is zero"):
        check_vectors([[nothing, 0.0], [0.5, 0.5]], 2)


def test_a_single_bad_vector_is_refused() -> None:
    with pytest.raises(BadVector, match=r"the vector is zero"):
        check_vectors([0.0, 0.0], 2)


@pytest.mark.parametrize("shape", [(3,), (2, 3), (1, 2, 2), ()])
def test_another_number_of_dimensions_is_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(BadVector, match=r"expected vectors of 2 dimensions, got an array of shape"):
        check_vectors(np.ones(shape), 2)


def test_the_errors_of_the_package_are_value_errors() -> None:
    assert issubclass(BadVector, EmbeddingError)
    assert issubclass(EmbeddingError, ValueError)


def test_unit_vectors_keep_their_direction() -> None:
    assert to_unit_length([[3.0, 4.0], [0.0, -2.0]], 2).tolist() == [[np.float32(0.6), np.float32(0.8)], [0.0, -1.0]]
