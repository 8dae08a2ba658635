from tests.embedding.word_encoder import WordEncoder


def test_a_text_is_cut_after_its_last_token_that_fits() -> None:
    encoder = WordEncoder()
    assert encoder.cut("Alice likes  blue tiles", 3) == "Alice likes  blue"
    assert encoder.cut("Alice likes tea ", 3) == "Alice likes tea "
    assert encoder.cut("Alice likes tea", 0) == ""


def test_tokens_are_counted_by_their_spans() -> None:
    assert WordEncoder().count_tokens("Alice likes blue tiles") == 4


def test_one_query_is_one_vector() -> None:
    assert WordEncoder().query("bob").tolist() == [0.0, 1.0, 0.0, 0.0]
