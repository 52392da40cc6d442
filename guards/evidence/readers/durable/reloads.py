"""What the reload lane leaves beside its run: a trace of the harness, and the record that controlled it."""

from typing import Final, NamedTuple

import msgspec

from guards.evidence.bundle import Bundle, Missing, Unreadable
from guards.evidence.strict_json import repeated_key

TRACE, LIVE, ARCHIVED, FAILED = "harness-events.log", "control.json", "control.completed.json", "control.failed"
_LIMIT: Final = 1 << 20
_FIELDS: Final = 4
# Kind, ordinal, and the number of the domain that writes the step.
_STEPS: Final = {
    1: (("leaf_before", 0, 0), ("queued", 1, 0), ("resumed", 1, 1), ("leaf_after", 0, 1)),
    2: (
        ("leaf_before", 0, 0),
        ("queued", 1, 0),
        ("resumed", 1, 1),
        ("queued", 2, 1),
        ("resumed", 2, 2),
        ("leaf_after", 0, 2),
    ),
}


class Step(NamedTuple):
    """A line of the trace, as it stands there."""

    line: int
    fields: tuple[str, ...]

    @property
    def scenario(self) -> str:
        """The scenario that the line is about; empty where it has another form."""
        return self.fields[3] if len(self.fields) == _FIELDS else ""


class Trace(NamedTuple):
    """The whole lines of a trace, and whether another one broke off."""

    steps: tuple[Step, ...] = ()
    torn: bool = False

    @property
    def scenario(self) -> str:
        """The scenario of the first line."""
        return self.steps[0].scenario if self.steps else ""


class Control(msgspec.Struct):
    """A control record; ``target_reloads`` is 0 where it says nothing."""

    schema_version: int = 0
    scenario_id: str = ""
    target_reloads: int = 0
    allow_second_reload: bool = False
    reload_port_1: int = 0
    reload_chat_port_1: int = 0
    reload_port_2: int = 0
    reload_chat_port_2: int = 0

    @property
    def ports(self) -> tuple[int, ...]:
        """The ports that were planned after each reload."""
        return (self.reload_port_1, self.reload_port_2)[: self.target_reloads]


def read_trace(bundle: Bundle, folder: str) -> Trace:
    """The trace.

    Raises:
        Missing, Unreadable: as ``Bundle`` does.
    """
    text = bundle.read(f"{folder}/{TRACE}", _LIMIT).decode("utf-8", "replace")
    *lines, rest = text.split("\n")
    steps = tuple(Step(number, tuple(line.split("|"))) for number, line in enumerate(lines, 1))
    whole = rest.split("|")
    if rest and len(whole) == _FIELDS:
        steps = (*steps, Step(len(steps) + 1, tuple(whole)))
    return Trace(steps, torn=bool(rest))


def read_control(bundle: Bundle, path: str) -> Control | None:
    """A control record; None where it cannot be read as one.

    Raises:
        Missing: it is not there.
    """
    try:
        raw = bundle.read(path, _LIMIT)
        control = msgspec.json.decode(raw, type=Control)
        return None if repeated_key(raw) else control
    except (Unreadable, msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def archived(bundle: Bundle, folder: str) -> Control | None:
    """The archived control record; None where there is none that can be read."""
    try:
        return read_control(bundle, f"{folder}/{ARCHIVED}")
    except Missing:
        return None


def wrong_step(trace: Trace, reloads: int) -> tuple[int, str] | None:
    """The first line that is not the step that follows, with the reason; None where all are."""
    wanted = _STEPS.get(reloads, ())
    domains: list[str] = []
    for step, (kind, ordinal, domain) in zip(trace.steps, wanted, strict=False):
        if step.fields[:2] != (kind, str(ordinal)) or len(step.fields) != _FIELDS:
            return step.line, f"`{'|'.join(step.fields)}`, and `{kind}` {ordinal} follows"
        if step.fields[2] not in domains:
            domains.append(step.fields[2])
        if not step.fields[2] or domains.index(step.fields[2]) != domain:
            return step.line, f"`{kind}` was written by another domain than the one that follows"
        if step.scenario != trace.scenario or not step.scenario:
            return step.line, f"it belongs to `{step.scenario}`, the first line to `{trace.scenario}`"
    if len(trace.steps) > len(wanted):
        return trace.steps[len(wanted)].line, "nothing follows the last step"
    if len(trace.steps) < len(wanted) and not trace.torn:
        return len(trace.steps), f"`{wanted[len(trace.steps)][0]}` is missing"
    return None
