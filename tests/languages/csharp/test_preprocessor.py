"""Which branches of which ``#if`` a variant keeps."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guards.languages.csharp.preprocessor import Preprocessor, blank
from guards.languages.csharp.tokens import Tokens


def variants(*lines: str) -> list[str]:
    """What is left of a file in each of its variants, as words."""
    data = "\n".join(lines).encode() + b"\n"
    preprocessor = Preprocessor(Tokens(data).directives, len(data))
    texts = [blank(data, preprocessor.cut(index).removed) for index in range(preprocessor.need)]
    for text in texts:
        assert len(text) == len(data)
        assert text.count(b"\n") == data.count(b"\n")
    return [b" ".join(text.split()).decode() for text in texts]


def test_variant_k_keeps_branch_k_of_every_chain() -> None:
    assert variants("#if A", "a1", "#elif B", "b1", "#else", "c1", "#endif", "x", "#if A", "a2", "#elif B", "b2", "#else", "c2", "#endif") == [
        "a1 x a2",
        "b1 x b2",
        "c1 x c2",
    ]  # fmt: skip


def test_a_shorter_chain_keeps_its_else() -> None:
    assert variants("#if A", "a", "#elif B", "b", "#else", "c", "#endif", "#if D", "d", "#else", "e", "#endif") == [
        "a d",
        "b e",
        "c e",
    ]


def test_a_shorter_chain_without_an_else_keeps_nothing() -> None:
    assert variants("#if A", "a", "#elif B", "b", "#endif", "#if D", "d", "#endif") == ["a d", "b"]


def test_one_branch_alone_takes_one_variant() -> None:
    assert variants("#if UNITY_EDITOR", "a", "#endif", "b") == ["a b"]


def test_a_nested_chain_is_seen_in_whichever_branch_it_stands() -> None:
    assert variants(
        "#if A", "a", "#else", "b", "#if C", "c", "#elif D", "d", "#else", "e", "#endif", "f", "#endif"
    ) == ["a", "b c f", "b d f", "b e f"]


def test_a_nested_chain_in_the_first_branch_does_not_displace_the_second() -> None:
    assert variants("#if A", "#if B", "b", "#else", "c", "#endif", "#else", "d", "#endif") == ["b", "c", "d"]


@pytest.mark.parametrize("condition", ["false", "0", "(false)", "!true", " false // never"])
def test_a_branch_that_is_never_true_is_in_no_variant(condition: str) -> None:
    assert variants(f"#if {condition}", "a", "#else", "b", "#endif") == ["b"]
    assert variants("#if A", "a", f"#elif {condition}", "b", "#else", "c", "#endif") == ["a", "c"]
    assert variants("x", f"#if {condition}", "a", "#endif") == ["x"]


@pytest.mark.parametrize("condition", ["NEVER", "FALSE", "False", "false || A", "falsehood", "!false_"])
def test_an_unknown_symbol_is_no_false(condition: str) -> None:
    assert variants(f"#if {condition}", "a", "#else", "b", "#endif") == ["a", "b"]


@pytest.mark.parametrize("condition", ["true", "1", "!false"])
def test_what_follows_a_branch_that_is_always_true_is_in_no_variant(condition: str) -> None:
    assert variants(f"#if {condition}", "a", "#elif B", "b", "#else", "c", "#endif") == ["a"]


def test_a_branch_that_holds_an_error_is_in_no_variant() -> None:
    assert variants("#if A", "a", "#else", "#error set A", "b", "#endif") == ["a"]
    assert variants("#if A", "#error no A", "a", "#elif B", "b", "#endif", "x") == ["b x"]


def test_an_error_in_a_nested_branch_takes_away_only_that() -> None:
    assert variants("#if A", "a", "#if B", "#error", "b", "#endif", "#else", "c", "#endif") == ["a", "c"]


def test_an_error_outside_of_branches_takes_nothing_away() -> None:
    assert variants("#error outdated", "a", "#if A", "b", "#endif") == ["a b"]


def test_no_else_left_means_that_the_last_branch_stands_for_it() -> None:
    assert variants("#if A", "a", "#elif B", "b", "#else", "#error", "#endif", "#if C", "1", "#elif D", "2", "#else", "3", "#endif") == [
        "a 1",
        "b 2",
        "b 3",
    ]  # fmt: skip


def test_other_directives_are_blanked_in_every_variant() -> None:
    assert variants("#nullable enable", "#region x { (", "#pragma warning disable CS1", "a", "#endregion", "#line 3") == ["a"]  # fmt: skip


def test_a_chain_without_an_end_goes_to_the_end() -> None:
    assert variants("#if A", "a", "#else", "b") == ["a", "b"]
    assert variants("#if A", "#if B", "a") == ["a"]


@pytest.mark.parametrize("stray", ["#endif", "#else", "#elif A"])
def test_stray_directives_are_passed_over(stray: str) -> None:
    assert variants("a", stray, "b") == ["a b"]


WORDS = st.sampled_from(["#if A", "#if false", "#elif B", "#else", "#endif", "#error", "#region", "code"])


@given(st.lists(WORDS, max_size=30))
def test_all_variants_together_hold_every_branch_but_dead_ones(words: list[str]) -> None:
    lines = [f"line{number}" if word == "code" else word for number, word in enumerate(words)]
    data = "\n".join(lines).encode() + b"\n"
    preprocessor = Preprocessor(Tokens(data).directives, len(data))
    seen = b" ".join(blank(data, preprocessor.cut(index).removed) for index in range(preprocessor.need)).split()
    expected = blank(data, preprocessor.dead()).split()
    assert set(seen) == set(expected)


@given(st.binary(max_size=200), st.lists(st.integers(0, 200), max_size=12))
def test_blanking_keeps_the_length_and_all_line_ends(data: bytes, cuts: list[int]) -> None:
    spans = list(pairwise(sorted({min(cut, len(data)) for cut in cuts})))[::2]
    blanked = blank(data, spans)
    assert len(blanked) == len(data)
    for offset, (before, after) in enumerate(zip(data, blanked, strict=True)):
        inside = any(start <= offset < end for start, end in spans)
        assert after == (before if not inside or before in b"\r\n" else 0x20)


def test_thousands_of_nested_chains_are_no_recursion() -> None:
    data = b"#if A\n" * 3_000 + b"x\n" + b"#else\ny\n#endif\n" * 3_000
    preprocessor = Preprocessor(Tokens(data).directives, len(data))
    assert preprocessor.need == 3_001
    assert blank(data, preprocessor.cut(0).removed).split() == [b"x"]
