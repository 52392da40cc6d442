from unittest.mock import Mock, patch

from keeptools import translations


@patch("requests.get")
def test_texts_are_fetched(get: Mock) -> None:
    get.return_value.json.return_value = {"torch": "Fackel"}
    assert translations.fetch("de") == {"torch": "Fackel"}


def test_an_empty_text_counts_as_missing() -> None:
    assert translations.missing({"torch": "Fackel", "rope": ""}, ["torch", "rope"]) == ["rope"]
