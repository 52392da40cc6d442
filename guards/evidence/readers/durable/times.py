"""Times as the editor writes them: UTC, seven digits of a second, all of one width, so that they compare as text."""

import re
from datetime import UTC, datetime

_TIME = re.compile(
    r"(\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)\.\d{7}Z", re.ASCII
)
_LAST_SAFE_DAY = 28
# Ticks of 100 ns between year 1 and the Unix epoch.
_EPOCH = 621_355_968_000_000_000


def is_time(text: str) -> bool:
    """Whether a text is a time of the calendar in the one form that is written."""
    match = _TIME.fullmatch(text)
    if match is None:
        return False
    if int(text[8:10]) <= _LAST_SAFE_DAY:
        return True
    try:
        datetime.fromisoformat(match[1])
    except ValueError:
        return False
    return True


def ticks(modified_ns: int) -> int:
    """The time of a file in ticks since year 1."""
    return _EPOCH + modified_ns // 100


def since_1970(time: str) -> int:
    """A time as nanoseconds since 1970."""
    whole = datetime.fromisoformat(time[:19]).replace(tzinfo=UTC)
    return int(whole.timestamp()) * 1_000_000_000 + int(time[20:27]) * 100
