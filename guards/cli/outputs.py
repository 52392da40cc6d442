"""Where reports go: ``--output FORMAT[=FILE]``."""

import os
import sys
from collections.abc import Callable, Sequence
from typing import NamedTuple, TextIO

from guards.engine.run import Request
from guards.findings.result import RunResult
from guards.project.files import Unread
from guards.reports import FOR_PEOPLE, FORMATS, SHOWING_EDITS, SHOWING_RULES, Style, renderer, terminal_style, write
from guards.source.text import SourceText, Unreadable, decode


class BadOutput(Exception):
    """An output that cannot be written; ``str()`` says which and why."""


class Output(NamedTuple):
    """A format and the file it goes to; an empty file is standard output."""

    format: str
    file: str


def parse_outputs(given: Sequence[str] | None, formats: Sequence[str]) -> list[Output]:
    """What ``--output`` says, or text alone where it says nothing.

    Raises:
        BadOutput: an unknown format, or two reports for one place.
    """
    outputs = [_parse(word, formats) for word in given or ["text"]]
    files = [output.file for output in outputs]
    if len(set(files)) < len(files):
        raise BadOutput("two reports cannot go to one place: name a file for one, as in `--output json=report.json`")
    return outputs


def write_outputs(outputs: Sequence[Output], render: Callable[[str, Style], str], stream: TextIO | None = None) -> None:
    """Writes every report, those without a file to a stream, which is standard output unless another is given.

    Raises:
        BadOutput: a file cannot be written; those before it are.
    """
    stream = stream or sys.stdout
    for format_, file in outputs:
        if file:
            _write_file(file, render(format_, Style()))
        else:
            write(stream, render(format_, terminal_style(stream)))


class Outputs:
    """The reports of one run.

    Raises:
        BadOutput: an unknown format, or two reports for one place.
    """

    def __init__(self, given: Sequence[str] | None, *, statistics: bool) -> None:
        self._outputs = parse_outputs(given, FORMATS)
        self._statistics = statistics

    def write(self, result: RunResult, request: Request, stream: TextIO | None = None) -> None:
        """Writes every report, those without a file to a stream, which is standard output unless another is given.

        Raises:
            BadOutput: a file cannot be written; those before it are.
            ConfigError: the configuration was changed while we worked.
        """
        sources = _sources(request)
        if any(format_ in SHOWING_RULES for format_, _ in self._outputs):
            from guards.engine.pages import with_rules

            result = with_rules(result, request.root, request.command_line)
        if any(format_ in SHOWING_EDITS for format_, _ in self._outputs):
            from guards.engine.fixing import with_edits

            result = with_edits(result, sources)

        def render(format_: str, style: Style) -> str:
            name = "statistics" if self._statistics and format_ in FOR_PEOPLE else format_
            return renderer(name)(result, sources, style)

        write_outputs(self._outputs, render, stream)


def _parse(word: str, formats: Sequence[str]) -> Output:
    format_, _, file = word.partition("=")
    if format_ not in formats:
        raise BadOutput(f"there is no output format `{format_}`; there are {', '.join(sorted(formats))}")
    return Output(format_, "" if file == "-" else file)


def _sources(request: Request) -> Callable[[str], SourceText | None]:
    """The decoded text of a file of the project, or None where it cannot be read any more."""
    files = request.files()

    def source(path: str) -> SourceText | None:
        try:
            return decode(path, files.read(path), python=path.endswith(".py"))
        except (Unread, Unreadable):
            return None

    return source


def _write_file(file: str, text: str) -> None:
    """Writes beside the file and then takes its place, so that nobody reads half a report."""
    partial = f"{file}.partial"
    try:
        with open(partial, "w", encoding="utf-8", newline="\n") as stream:
            stream.write(text)
        os.replace(partial, file)
    except OSError as error:
        raise BadOutput(f"{file}: {error.strerror or error}") from None
