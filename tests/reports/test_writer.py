import io
import json

import pytest

from guards.reports import write


class Terminal(io.TextIOWrapper):
    def isatty(self) -> bool:
        return True


def written(text: str, encoding: str, *, terminal: bool = False) -> bytes:
    binary = io.BytesIO()
    stream = (Terminal if terminal else io.TextIOWrapper)(binary, encoding=encoding, newline="\n")
    write(stream, text)
    return binary.getvalue()


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252", "ascii", "utf-16"])
def test_off_a_terminal_it_is_utf_8_whatever_the_locale_says(encoding: str) -> None:
    assert written("名前 é\n", encoding) == "名前 é\n".encode()


def test_a_terminal_gets_its_own_encoding_and_escapes_for_what_that_lacks() -> None:
    assert written("é 名 👩\n", "cp1252", terminal=True) == b"\xe9 \\u540d \\ud83d\\udc69\n"
    assert written("é 名\n", "ascii", terminal=True) == b"\\u00e9 \\u540d\n"
    assert written("é 名\n", "utf-8", terminal=True) == "é 名\n".encode()


def test_json_stays_json_on_a_terminal_that_lacks_characters() -> None:
    text = json.dumps({"path": "名👩é"}, ensure_ascii=False)
    assert json.loads(written(text, "ascii", terminal=True)) == {"path": "名👩é"}


def test_half_a_pair_stops_no_report() -> None:
    assert written("a\udcffb\n", "utf-8") == b"a\\udcffb\n"


def test_what_was_written_before_stays_before() -> None:
    binary = io.BytesIO()
    stream = io.TextIOWrapper(binary, encoding="utf-8", newline="\n")
    stream.write("first\n")
    write(stream, "second\n")
    assert binary.getvalue() == b"first\nsecond\n"


def test_a_stream_of_text_alone_will_do() -> None:
    stream = io.StringIO()
    write(stream, "名\n")
    assert stream.getvalue() == "名\n"
