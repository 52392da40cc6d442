"""What crosses the border between the parent and whoever collects: plain data, in and out."""

from collections.abc import Mapping
from typing import NamedTuple

from guards.config.catalogue import Forbid, OptionValue
from guards.findings.model import Candidate, Finding, UnreadRegion
from guards.findings.suppressions import Suppression
from guards.project.model import FileInfo


class RulePlan(NamedTuple):
    """One rule that looks at a file, with everything needed to load and run it.

    ``rows`` are rows of forbidden APIs that come from configuration; rows of rule modules
    come with their module. ``needs`` and ``triggers`` are as in the rule table.
    """

    name: str
    module: str
    class_name: str
    needs: tuple[str, ...]
    triggers: tuple[bytes, ...]
    options: Mapping[str, OptionValue]
    rows: tuple[Forbid, ...] = ()


class FileTask(NamedTuple):
    """One file to collect from.

    ``plan`` indexes the plans of the chunk it travels in. A file whose rules are not triggered is
    parsed only ``with_facts``; every file that is parsed brings its facts along.
    """

    info: FileInfo
    raw: bytes
    plan: int
    with_facts: bool


class Chunk(NamedTuple):
    """Files that one worker takes at a time, and the plans that they share."""

    tasks: tuple[FileTask, ...]
    plans: tuple[tuple[RulePlan, ...], ...]


class Collected(NamedTuple):
    """Everything one file has to say.

    ``failure`` says why the file could not be read; then nothing else is filled in. Facts travel
    beside it: each language has a type of its own for them.
    """

    path: str
    language: str
    findings: tuple[Finding, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    suppressions: tuple[Suppression, ...] = ()
    unread: tuple[UnreadRegion, ...] = ()
    note: str = ""
    failure: str = ""

    @property
    def offers_fixes(self) -> bool:
        """Whether a finding that comes of this may have a fix."""
        return (
            bool(self.suppressions)
            or any(finding.fix for finding in self.findings)
            or any(candidate.fix for candidate in self.candidates)
        )


class Packed(NamedTuple):
    """The facts of a file as bytes, and their outline: nothing for a language that has none. See ``packing``."""

    facts: bytes
    outline: bytes


def content_key(raw: bytes) -> bytes:
    """The identity of a file's bytes."""
    from hashlib import blake2b

    return blake2b(raw, digest_size=16).digest()
