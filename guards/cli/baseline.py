"""``suiteguard baseline``: findings that are held back until somebody mends them."""

import argparse
import os
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from guards.cli import CLEAN, INCOMPLETE, refuse
from guards.cli.options import add_configuration, add_means, command_line, means, project_root

if TYPE_CHECKING:
    from guards.engine.adoption import Change
    from guards.engine.run import Request
    from guards.findings.baseline import Baseline, Entry

_EPILOG = """\
The baseline is one file at the root of the project, for everybody: commit it. `suiteguard check` reads it, holds back
the findings that it names, and reports those of its entries that nothing needs any more.
"""
_SHOWN = 20
_REASONS = 3


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.epilog = _EPILOG
    actions = parser.add_subparsers(title="actions", dest="action", metavar="ACTION", required=True)
    create = actions.add_parser(
        "create", help="hold back all that is found now", formatter_class=parser.formatter_class
    )
    create.add_argument("--reason", metavar="TEXT", help="why these findings do not count yet")
    update = actions.add_parser(
        "update", help="take away what is not needed any more", formatter_class=parser.formatter_class
    )
    update.add_argument("--add", action="store_true", help="hold back what is found now, too")
    update.add_argument("--reason", metavar="TEXT", help="why the added findings do not count yet")
    show = actions.add_parser("show", help="what is held back, and why", formatter_class=parser.formatter_class)
    show.add_argument("--output", choices=("text", "json"), default="text", help="text (default) or json")
    for action in (create, update, show):
        add_configuration(action.add_argument_group("rules and configuration"))
    for action in (create, update):
        add_means(action.add_argument_group("how to run"))


def run(args: argparse.Namespace) -> int:
    """Does what the action says; the exit code tells whether all could be read."""
    from guards.config.model import ConfigError
    from guards.engine.adoption import CannotWrite

    actions: dict[str, Callable[[argparse.Namespace], int]] = {"create": _create, "update": _update, "show": _show}
    try:
        return actions[args.action](args)
    except (ConfigError, CannotWrite) as error:
        return refuse(error)


def _create(args: argparse.Namespace) -> int:
    from guards.engine.adoption import make
    from guards.findings.baseline import DEFAULT_REASON

    if problem := _wrong_reason(args.reason):
        return refuse(problem)
    return report_made(make(_request(args), args.reason or DEFAULT_REASON))


def _update(args: argparse.Namespace) -> int:
    from guards.engine.adoption import update
    from guards.findings.baseline import DEFAULT_REASON

    if args.reason is not None and not args.add:
        return refuse("--reason is for what --add takes in; entries that stay keep theirs")
    if problem := _wrong_reason(args.reason):
        return refuse(problem)
    change = update(_request(args), (args.reason or DEFAULT_REASON) if args.add else None)
    return _report(_updated(change), change)


def _wrong_reason(reason: str | None) -> str:
    from guards.findings.baseline import has_reason

    return "" if reason is None or has_reason(reason) else "--reason must say why the findings do not count"


def _request(args: argparse.Namespace) -> "Request":
    from guards.engine.run import Request

    return Request(project_root(os.curdir), (), command_line(args), means=means(args))


def report_made(change: "Change") -> int:
    """Says what a new baseline holds back; the exit code tells whether all could be read."""
    return _report(_created(change), change)


def _report(lines: Iterable[str], change: "Change") -> int:
    from guards.reports import write
    from guards.reports.escape import visible

    write(sys.stdout, "".join(f"{visible(line)}\n" for line in (*lines, *_unread(change))))
    return INCOMPLETE if change.result.skipped else CLEAN


def _created(change: "Change") -> Iterator[str]:
    if change.written:
        yield f"{change.path}: written, {_size(change.entries)}"
    else:
        yield "nothing was found that a baseline would hold back, so none was written"
    yield from _unfit(change)


def _updated(change: "Change") -> Iterator[str]:
    yield f"{change.path}: {'written' if change.written else 'unchanged'}, {_size(change.entries)}"
    gone = [entry for entry, left in change.shrunk if not left]
    if gone:
        yield f"removed, since nothing needs them: {_counted(len(gone), 'entry')}"
        yield from _listed(gone)
    less = [(entry, left) for entry, left in change.shrunk if left]
    if less:
        yield f"shortened: {_counted(len(less), 'entry')}"
        yield from _some(f"  {e.rule}  {e.path}  {e.times} -> {left}" for e, left in less)
    if change.moved:
        yield f"moved along with renamed files: {_counted(len(change.moved), 'entry')}"
        yield from _some(f"  {path} -> {new}" for path, new in sorted({(m.entry.path, m.path) for m in change.moved}))
    if change.added:
        yield f"added: {_counted(len(change.added), 'entry')}"
        yield from _listed(change.added)
    if change.left_alone:
        yield f"left alone, since this run could not judge them: {_counted(len(change.left_alone), 'entry')}"
        yield from _listed(change.left_alone)
    new = len(change.not_held) - len(change.unfit)
    if new:
        yield f"not in the baseline: {_counted(new, 'finding')}; `suiteguard baseline update --add` takes them in"
    yield from _unfit(change)


def _unfit(change: "Change") -> Iterator[str]:
    if change.unfit:
        rules = ", ".join(f"`{rule}`" for rule in sorted({finding.rule for finding in change.unfit}))
        yield f"cannot be held back, being about excuses: {_counted(len(change.unfit), 'finding')} of {rules}"


def _unread(change: "Change") -> Iterator[str]:
    skipped = change.result.skipped
    if skipped:
        yield f"incomplete: {_counted(len(skipped), 'file')} could not be checked; entries of them are left alone"
        yield from _some(f"  {path}: {reason}" for path, reason in skipped)


def _listed(entries: "Iterable[Entry]") -> Iterator[str]:
    return _some(f"  {entry.rule}  {entry.path}  {entry.times}" for entry in entries)


def _some(lines: Iterable[str]) -> Iterator[str]:
    for number, line in enumerate(found := [*lines]):
        if number == _SHOWN:
            yield f"  and {len(found) - _SHOWN} more"
            return
        yield line


def _size(entries: "Sequence[Entry]") -> str:
    return f"{_counted(len(entries), 'entry')} for {_counted(sum(entry.times for entry in entries), 'finding')}"


def _counted(number: int, word: str) -> str:
    plural = f"{word[:-1]}ies" if word.endswith("y") else f"{word}s"
    return f"{number} {word if number == 1 else plural}"


# Showing.


def _show(args: argparse.Namespace) -> int:
    from guards.engine.adoption import current
    from guards.engine.run import Request
    from guards.reports import terminal_style, write

    baseline = current(Request(project_root(os.curdir), (), command_line(args)))
    if args.output == "json":
        write(sys.stdout, _json(baseline))
    else:
        style = terminal_style(sys.stdout)
        write(sys.stdout, f"{_header(baseline)}\n{_tables(baseline.entries, style.width, colour=style.colour)}")
    return CLEAN


def _json(baseline: "Baseline") -> str:
    from guards.reports.json_report import dumps

    return dumps({
        "version": 1,
        "path": baseline.path,
        "findings": sum(entry.times for entry in baseline.entries),
        "entries": [
            {
                "rule": entry.rule,
                "path": entry.path,
                "fingerprint": entry.fingerprint,
                "count": entry.times,
                "reason": entry.reason,
                "line": entry.place.line,
            }
            for entry in baseline.entries
        ],
    })  # fmt: skip


def _header(baseline: "Baseline") -> str:
    from guards.reports.escape import visible

    return f"{visible(baseline.path)}: {_size(baseline.entries)}"


def _tables(entries: "Sequence[Entry]", width: int, *, colour: bool) -> str:
    """One table by rule and one by folder; the text of both is shown as it is, and not as what it might mean."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from guards.reports.escape import sentence

    console = Console(
        force_terminal=colour, color_system="standard" if colour else None, width=width, legacy_windows=False
    )
    with console.capture() as capture:
        for title, key in (("rule", lambda e: e.rule), ("folder", lambda e: e.path.rpartition("/")[0] or ".")):
            table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
            table.add_column(title, overflow="fold")
            table.add_column("findings", justify="right")
            table.add_column("files", justify="right")
            table.add_column("reasons", overflow="fold")
            for name, group in _groups(entries, key):
                reasons = dict.fromkeys(entry.reason for entry in group)
                more = [f"and {len(reasons) - _REASONS} more"] if len(reasons) > _REASONS else []
                words = (name, str(sum(e.times for e in group)), str(len({e.path for e in group})))
                shown = "; ".join([*list(reasons)[:_REASONS], *more])
                table.add_row(*(Text(sentence(word)) for word in (*words, shown)))
            console.print()
            console.print(table)
    return "".join(f"{line.rstrip()}\n" for line in capture.get().splitlines())


def _groups(entries: "Iterable[Entry]", key: "Callable[[Entry], str]") -> "list[tuple[str, list[Entry]]]":
    """Groups of entries, those with the most findings first."""
    groups = defaultdict(list)
    for entry in entries:
        groups[key(entry)].append(entry)
    return sorted(groups.items(), key=lambda group: (-sum(entry.times for entry in group[1]), group[0]))
