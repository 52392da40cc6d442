import pytest
from hypothesis import given
from hypothesis import strategies as st

from guards.evidence.strict_xml import MOST_LEVELS, End, Forbidden, Start, XmlError, xml_events


def test_elements_come_with_their_lines_and_their_own_text() -> None:
    assert list(xml_events(b'<a x="1&lt;">\n one<b>two</b>\n<![CDATA[<three>]]></a>\n')) == [
        Start("a", {"x": "1<"}, 1),
        Start("b", {}, 2),
        End("b", "two", 2),
        End("a", "\n one\n<three>", 3),
    ]


@pytest.mark.parametrize(
    "document",
    [
        b"<!DOCTYPE a><a/>",
        b'<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>',
        b'<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>',
        b'<?xml version="1.0"?>\n<!DOCTYPE a [<!ENTITY % x SYSTEM "http://localhost/">%x;]><a/>',
    ],
)
def test_a_document_type_is_refused_before_anything_of_it_is_read(document: bytes) -> None:
    with pytest.raises(Forbidden):
        list(xml_events(document))


@pytest.mark.parametrize(
    ("document", "line"),
    [
        (b"", 1),
        (b"<a>", 1),
        (b"<a>\n</b>", 2),
        (b"<a/>\n\n<b/>", 3),
        (b"<a>&x;</a>", 1),
        (b"<a>\x00</a>", 1),
        (b"<a>\xff</a>", 1),
        (b'<?xml version="1.0" encoding="nonsense"?><a/>', 1),
        (b"<a\n b='1' b='2'/>", 2),
        (b"<a>" * (MOST_LEVELS + 1) + b"</a>" * (MOST_LEVELS + 1), 1),
    ],
)
def test_what_is_not_well_formed_is_an_error_with_a_line(document: bytes, line: int) -> None:
    with pytest.raises(XmlError) as raised:
        list(xml_events(document))
    assert raised.value.line == line


def test_depth_up_to_the_limit_is_read() -> None:
    assert len(list(xml_events(b"<a>" * MOST_LEVELS + b"</a>" * MOST_LEVELS))) == 2 * MOST_LEVELS


@given(st.binary(max_size=60) | st.text(alphabet="<>/a\"'=&;![]-? \n", max_size=60).map(str.encode))
def test_nothing_but_an_xml_error_comes_of_bad_data(document: bytes) -> None:
    try:
        events = list(xml_events(document))
    except XmlError:
        return
    assert sum(isinstance(event, Start) for event in events) == sum(isinstance(event, End) for event in events) > 0
