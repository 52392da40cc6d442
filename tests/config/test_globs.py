"""Globs of paths: one dialect, matched in linear time, wrong ones refused."""

import re
from functools import cache
from time import perf_counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guards.config.globs import BadGlob, anchor, check_glob, matches_any


@pytest.mark.parametrize(
    ("glob", "path"),
    [
        ("a.cs", "a.cs"),
        ("a.cs", "x/y/a.cs"),
        ("*.cs", "x/a.cs"),
        ("Tests", "x/Tests/a.cs"),
        ("Tests/", "x/Tests/a.cs"),
        ("/Tests", "Tests/a.cs"),
        ("a/b.cs", "a/b.cs"),
        ("a/*/c", "a/b/c"),
        ("a/**", "a/b/c"),
        ("a/**/d", "a/d"),
        ("a/**/d", "a/b/c/d/e"),
        ("**/Hostile/**", "x/Hostile/y/z.cs"),
        ("**/Hostile/**", "Hostile/z.cs"),
        ("**/a/**/b/**/c.py", "q/a/r/a/b/s/c.py"),
        ("**", "a"),
        ("a?c", "abc"),
        ("[ab].py", "b.py"),
        ("[a-c]x", "bx"),
        ("[!a]x", "bx"),
        ("[]a]x", "]x"),
        ("[!]]x", "ax"),
        ("[a\\]", "a"),
        (r"\*.py", "*.py"),
        (r"\[x\]", "[x]"),
        (r"a\{b", "a{b"),
        ("a b/ü*", "a b/üx"),
        ("*a*b*", "xxaxxbxx"),
        ("a.b", "a.b"),
        ("(a|b)+$", "(a|b)+$"),
    ],
)
def test_matches(glob: str, path: str) -> None:
    assert matches_any((glob,), path)


@pytest.mark.parametrize(
    ("glob", "path"),
    [
        ("a.cs", "b/a.csx"),
        ("a.cs", "ba.cs"),
        ("a.cs", "A.cs"),
        ("*.cs", "a.cs.meta"),
        ("Tests/", "x/Tests"),
        ("/Tests", "x/Tests/a.cs"),
        ("a/b.cs", "x/a/b.cs"),
        ("a/*/c", "a/b/b/c"),
        ("a/*", "a"),
        ("a/**", "a"),
        ("a/**/d", "a/bd"),
        ("a?c", "a/c"),
        ("a?c", "ac"),
        ("[!a]x", "ax"),
        ("x[!a]y", "x/y"),
        ("a.b", "axb"),
        (r"\*.py", "a.py"),
        ("*a*b", "xbxa"),
        ("**/a/**/b", "b/a"),
    ],
)
def test_does_not_match(glob: str, path: str) -> None:
    assert not matches_any((glob,), path)


def test_one_of_several_is_enough_and_none_matches_nothing() -> None:
    assert matches_any(("x", "*.py"), "a.py")
    assert not matches_any((), "a.py")


@pytest.mark.parametrize(
    ("glob", "reason"),
    [
        ("", "empty"),
        ("/", "empty"),
        ("!a.cs", "negated"),
        ("a//b", "side by side"),
        ("a//", "side by side"),
        ("*.{cs,gd}", "braces"),
        ("../a", "`..`"),
        ("./a", "`.`"),
        ("a/./b", "`.`"),
        ("a**b", "alone"),
        ("a/***/b", "alone"),
        ("[abc", "no `]`"),
        ("[z-a]", "range"),
        ("tests\\unit", "`/`"),
        ("a\\", "`/`"),
        (" a", "white space"),
        ("a ", "white space"),
    ],
)
def test_what_cannot_be_meant_is_refused_with_the_reason(glob: str, reason: str) -> None:
    with pytest.raises(BadGlob, match=re.escape(reason)):
        check_glob(glob)


_SEGMENT = st.text("ab*?", min_size=1, max_size=4).filter(lambda text: "**" not in text)
_GLOB = st.lists(_SEGMENT | st.just("**"), min_size=1, max_size=5).map("/".join)
_PATH = st.lists(st.text("ab", min_size=1, max_size=4), min_size=1, max_size=6).map("/".join)


@given(_GLOB, _PATH)
def test_agrees_with_trying_every_way(glob: str, path: str) -> None:
    segments, names = glob.split("/"), path.split("/")

    @cache
    def tail(i: int, j: int) -> bool:
        if i == len(segments):
            return True
        if j == len(names):
            return False
        if segments[i] != "**":
            return _fits(segments[i], names[j]) and tail(i + 1, j + 1)
        return i + 1 == len(segments) or any(tail(i + 1, k) for k in range(j, len(names)))

    starts = range(len(names)) if len(segments) == 1 else (0,)
    assert matches_any((glob,), path) == any(tail(0, start) for start in starts)


def _fits(glob: str, name: str) -> bool:
    return (
        re.fullmatch("".join({"*": ".*", "?": "."}.get(character, character) for character in glob), name) is not None
    )


@given(_GLOB, _PATH, st.sampled_from(["x", "x/y", "[1]", "a*b/{c}"]))
def test_anchored_at_a_folder_it_means_the_same_below_it_and_nothing_else(glob: str, path: str, folder: str) -> None:
    anchored = anchor(glob, folder)
    check_glob(anchored)
    assert matches_any((anchored,), f"{folder}/{path}") == matches_any((glob,), path)
    assert not matches_any((anchored,), f"z/{path}")


@pytest.mark.parametrize(
    ("glob", "path"),
    [
        ("*a" * 40 + "*b", "a" * 4000),
        ("**/a/" * 40 + "b", "a/" * 2000 + "c"),
        ("**/*a*a/" * 20 + "b", "aaaaaaaa/" * 400 + "c"),
        ("*?" * 100 + "b", "a" * 4000),
    ],
)
def test_hostile_globs_take_no_time(glob: str, path: str) -> None:
    started = perf_counter()
    assert not matches_any((glob,), path)
    assert perf_counter() - started < 1
