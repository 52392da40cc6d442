r"""Globs of paths, in the one dialect that every part of the configuration speaks.

A glob is matched against a POSIX path relative to a folder. ``*`` and ``?`` stay within a
segment, ``**`` stands for any number of segments, ``[abc]``, ``[a-z]`` and ``[!abc]`` for one
character, ``\`` takes the next character as it is. As in a ``.gitignore``, a glob without a
slash (but at its end) matches at any depth, any other is anchored at the folder; one that
matches a folder matches everything below it, and one with a slash at its end only that.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

DIALECT = "Like a line of a .gitignore, but without `!`: `*`, `?`, `[abc]` and `**`; anchored at the file's folder."

_META = re.compile(r"[\\*?\[\]{}]")


class BadGlob(ValueError):
    """The glob cannot be what its writer meant; ``str()`` is the reason."""


def matches_any(globs: tuple[str, ...], path: str) -> bool:
    """Whether a path matches one of some globs.

    Raises:
        BadGlob: one of the globs is none; configuration has checked those that it hands out.
    """
    return bool(globs) and compile_globs(globs).match(path) is not None


@lru_cache(maxsize=1024)
def compile_globs(globs: tuple[str, ...]) -> re.Pattern[str]:
    """One expression that matches, from its start, the paths that some glob matches.

    The time it takes grows with the length of the path alone, whatever the globs are.

    Raises:
        BadGlob: one of the globs is none.
    """
    if not globs:
        return re.compile(r"(?!)")
    return re.compile("|".join(_translate(glob) for glob in globs), re.DOTALL)


def check_glob(glob: str) -> None:
    """Refuses what would silently match nothing, or something else than meant.

    Raises:
        BadGlob: with the reason.
    """
    _translate(glob)


def anchor(glob: str, folder: str) -> str:
    """The glob that means, from the root, what this one means from a folder (empty: the root)."""
    if not folder:
        return glob
    depth = "/" if "/" in glob.removesuffix("/") else "/**/"
    return _META.sub(r"\\\g<0>", folder) + depth + glob.removeprefix("/")


def _translate(glob: str) -> str:
    _refuse_foreign_dialects(glob)
    body = glob.removesuffix("/")
    segments = body.removeprefix("/").split("/")
    if not segments[-1]:
        raise BadGlob("it is empty" if len(segments) == 1 else "two slashes stand side by side")
    for segment in segments:
        _refuse_segment(segment)
    if "/" not in body:
        segments.insert(0, "**")
    end = "/" if glob.endswith("/") else r"(?:/|\Z)"
    return _join(segments, end)


def _refuse_foreign_dialects(glob: str) -> None:
    if glob.startswith("!"):
        raise BadGlob("a glob cannot be negated with `!`")
    if glob != glob.strip():
        raise BadGlob("white space at its start or end would be part of the name")
    if re.search(r"(?<!\\)(?:\\\\)*[{}]", re.sub(r"\[[^\]]*\]", "", glob)):
        raise BadGlob("braces are no alternatives here; write one glob for each")
    if re.search(r"\\(?:\w|\Z)", glob.replace("\\\\", "")):
        raise BadGlob("write `/` between folders; `\\` takes the next character as it is")


def _refuse_segment(segment: str) -> None:
    if not segment:
        raise BadGlob("two slashes stand side by side")
    if segment in {".", ".."}:
        raise BadGlob(f"`{segment}` is no part of a path here; globs start at the configuration's folder")
    if "**" in segment.replace("\\*", "") and segment != "**":
        raise BadGlob("`**` must stand alone between slashes")


def _join(segments: list[str], end: str) -> str:
    """The expression of all segments.

    What stands between two ``**`` covers a fixed number of segments, so its first match is as
    good as any other: an atomic group keeps the engine from trying the others.
    """
    runs: list[list[str]] = [[]]
    for segment in segments:
        if segment == "**":
            runs.append([])
        else:
            runs[-1].append(_segment(segment))
    first, *others = ("/".join(run) for run in runs)
    if not others:
        return first + end
    *middle, last = [run for run in others[:-1] if run] + others[-1:]
    expression = first and first + "/"
    for run in middle:
        expression += f"(?>(?:[^/]+/)*?{run}/)"
    if not last:
        return expression + "."
    return f"{expression}(?:[^/]+/)*?{last}{end}"


def _segment(segment: str) -> str:
    """The expression of one segment; each part after a ``*`` but the last is atomic, as above."""
    first, *others = _pieces(segment)
    if not others:
        return first
    *middle, last = others
    return first + "".join(f"(?>[^/]*?{piece})" for piece in middle if piece) + f"[^/]*{last}"


def _pieces(segment: str) -> Iterator[str]:
    """The expressions between the stars; each matches a fixed number of characters."""
    piece, i = "", 0
    while i < len(segment):
        character = segment[i]
        i += 1
        if character == "*":
            yield piece
            piece = ""
        elif character == "?":
            piece += "[^/]"
        elif character == "[":
            i, expression = _character_class(segment, i)
            piece += expression
        else:
            if character == "\\" and i < len(segment):
                character = segment[i]
                i += 1
            piece += re.escape(character)
    yield piece


def _character_class(segment: str, start: int) -> tuple[int, str]:
    end = segment.find("]", start + (2 if segment[start : start + 1] in {"!", "^"} else 1))
    if end < 0:
        raise BadGlob("`[` has no `]`; write `\\[` for the character itself")
    content = segment[start:end]
    negated = content[0] in "!^"
    expression = "".join(_class_members(content[negated:]))
    return end + 1, f"(?!/)[{'^' * negated}{expression}]"


def _class_members(content: str) -> Iterable[str]:
    members = re.findall(r"(?s)(.)-(.)|(.)", content)
    for low, high, single in members:
        if single:
            yield re.escape(single)
        elif low > high:
            raise BadGlob(f"the range `{low}-{high}` is empty")
        else:
            yield f"{re.escape(low)}-{re.escape(high)}"
