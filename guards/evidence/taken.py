"""What a path on the command line is taken for, by what stands there and not by its name."""

import os
import re
from contextlib import suppress
from typing import NamedTuple

from guards.evidence.bundle import Bundle, Missing, Unreadable
from guards.evidence.strict_xml import Start, XmlError, xml_events

# The contract of a path where nothing stands.
NOTHING = "nothing"
RUN, FAULT_LANE, RELOAD_LANE, RECORD = "run", "fault-lane", "reload-lane", "record"
ASKED = ("auto", RUN, FAULT_LANE, RELOAD_LANE, RECORD)
# Where a project keeps its durable runs, and what stands in a store of them.
STORE = "Library/UnityMCP/TestRuns"
_RUN_FILES = ("run.json", "events.jsonl", "expected-tests.jsonl")
_RECORD_FILE = "acceptance-record.json"
_BEGINNING = 1 << 16
_ROOTS = {
    "test-run": ("nunit", "a result file of NUnit 3"),
    "TestRun": ("trx", "a result file of Visual Studio's test platform (TRX)"),
    "assemblies": ("xunit", "a result file of xUnit"),
    "assembly": ("xunit", "a result file of xUnit"),
}
# How a line of a stream of events begins; one that begins with a colon is a remark.
_OF_STREAM = (b"data:", b"event:", b"id:", b"retry:", b":")
_LANES = (FAULT_LANE, RELOAD_LANE)
_DOCTYPE = re.compile(rb"<!DOCTYPE[^\[>]*(?:\[[^\]]*\]\s*)?>")


class BadPath(Exception):
    """What was named cannot be judged; ``str()`` says why. Nothing was judged."""


class Taken(NamedTuple):
    """What a path was taken for.

    ``contract`` is one of ``contracts.MODULES``. ``root`` is the folder that nothing leads out of,
    ``path`` what was named, relative to it: a file, or for durable runs the store or the run's
    folder. ``why`` is the reason, for people. ``partner`` is a second path where two belong together.
    """

    contract: str
    root: str
    path: str
    why: str
    partner: str = ""


_RECORD_FOLDER = Taken(RECORD, "", _RECORD_FILE, "a folder with a record of several runs")


def taken(path: str, asked: str = "auto") -> Taken:
    """Says what a path is.

    Raises:
        BadPath: it does not exist, or is nothing that evidence is made of.
    """
    if not os.path.lexists(path):
        return Taken(NOTHING, os.path.dirname(os.path.abspath(path)), os.path.basename(path), "a path where nothing is")
    if asked == RECORD and os.path.isfile(os.path.join(path, _RECORD_FILE)):
        return _RECORD_FOLDER._replace(root=path)
    found = _folder(path) if os.path.isdir(path) else _file(path)
    if asked in _LANES:
        if found.contract != "durable-run":
            raise BadPath(f"`{path}` is {found.why}; the {asked} is judged on a project or store of durable runs")
        return found._replace(contract=asked, why=f"{found.why}, judged as the {asked}")
    if asked == RECORD and found.contract != RECORD:
        raise BadPath(f"`{path}` is {found.why}, and no record")
    return found


def _folder(path: str) -> Taken:
    if os.path.isdir(os.path.join(path, *STORE.split("/"))):
        return Taken("durable-run", path, STORE, "a project with durable runs")
    if os.path.isdir(os.path.join(path, "runs")) and not _holds_run(path):
        return _within_project(path, "a store of durable runs")
    if _holds_run(path):
        return _within_project(path, "the folder of a durable run")
    if os.path.isfile(os.path.join(path, _RECORD_FILE)):
        return _RECORD_FOLDER._replace(root=path)
    raise BadPath(
        f"`{path}` is a folder without evidence: neither a project or store of durable runs, nor the folder of one"
    )


def _holds_run(path: str) -> bool:
    return any(os.path.isfile(os.path.join(path, name)) for name in _RUN_FILES)


def _within_project(path: str, why: str) -> Taken:
    """A store or a run's folder, with as much around it as belongs to it: the project, else the store."""
    absolute = os.path.realpath(path)
    store = absolute if not _holds_run(path) else os.path.dirname(os.path.dirname(absolute))
    in_store = _holds_run(path) and os.path.basename(os.path.dirname(absolute)) == "runs"
    if _holds_run(path) and not in_store:
        return Taken("durable-run", absolute, "", f"{why}, without its store")
    project = absolute_root(store)
    relative = os.path.relpath(absolute, project).replace(os.sep, "/")
    return Taken("durable-run", project, "" if relative == os.curdir else relative, why)


def absolute_root(store: str) -> str:
    """The project that a store stands in, or the store itself."""
    tail = os.sep + STORE.replace("/", os.sep)
    return store[: -len(tail)] if store.endswith(tail) and store != tail else store


def _file(path: str) -> Taken:
    root, name = os.path.split(os.path.abspath(path))
    if name.endswith((".json", ".jsonl")) and _holds_run(root):
        raise BadPath(f"`{path}` is one file of a durable run; name the run's folder, its store or its project")
    try:
        beginning = Bundle(root).head(name, _BEGINNING)
    except (Missing, Unreadable) as error:
        raise BadPath(f"`{path}` cannot be read: {error}") from None
    contract, why = _sniffed(beginning)
    if not contract:
        raise BadPath(f"`{path}` is {why}")
    if name == _RECORD_FILE:
        contract, why = RECORD, "a record of several runs"
    return Taken(contract, root, name, why)


def _sniffed(beginning: bytes) -> tuple[str, str]:
    """The contract of a file by how it begins, and what it is; no contract where it is nothing known."""
    text = beginning.removeprefix(b"\xef\xbb\xbf").lstrip()
    if not text:
        return NOTHING, "an empty file"
    if text.startswith((b"{", b"[", *_OF_STREAM)):
        return "godot", "the JSON of a test run in Godot"
    if not text.startswith(b"<") and not beginning.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "", "neither JSON nor XML"
    root, inner = _first_elements(beginning)
    if root is None:
        # Whatever reads it will say what is wrong with it.
        return "junit", "XML that breaks off before its first element"
    return _by_root(root, inner)


def _by_root(root: Start, inner: Start | None) -> tuple[str, str]:
    name = root.name.rpartition(":")[2]
    if name in _ROOTS:
        return _ROOTS[name]
    if name == "testsuites" and root.attributes.get("name") == "GutTests":
        return "gut", "a JUnit file of GUT"
    if name == "testsuites" and root.attributes.get("name", "").startswith("report_") and "flaky" in root.attributes:
        return "gdunit4", "a JUnit file of gdUnit4"
    if name in {"testsuites", "testsuite"}:
        of_pytest = any(start is not None and start.attributes.get("name") == "pytest" for start in (root, inner))
        return "junit", "a JUnit file of pytest" if of_pytest else "a JUnit file"
    return "", f"XML with the root element `{root.name}`, which is no result file that is known here"


def _first_elements(beginning: bytes) -> tuple[Start | None, Start | None]:
    starts: list[Start] = []
    beginning = _DOCTYPE.sub(b"", beginning, count=1)  # its reader refuses it, and should be the right one
    with suppress(XmlError):  # it goes on behind the beginning, or is broken
        starts.extend(event for event in xml_events(beginning) if isinstance(event, Start))
    return (starts[0] if starts else None), (starts[1] if len(starts) > 1 else None)
