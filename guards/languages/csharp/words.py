"""Sets of words, written as one text."""


def words(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(text.split())
