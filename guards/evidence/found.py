"""What a reader finds, by the number of the condition that it breaks."""

from collections.abc import Iterator

from guards.evidence.model import Reason

# Of one condition; one damaged line of a large journal can break another for every leaf.
_MOST = 1000


class Found:
    """Reasons by condition, in the order in which they were found; of too many, the first ones and how many more."""

    def __init__(self) -> None:
        self._reasons: dict[str, list[Reason]] = {}
        self._more: dict[str, int] = {}

    def add(self, source: str, reason: Reason) -> None:
        """Takes a reason that breaks a condition."""
        reasons = self._reasons.setdefault(source, [])
        if len(reasons) < _MOST:
            reasons.append(reason)
        else:
            self._more[source] = self._more.get(source, 0) + 1

    def of(self, source: str) -> Iterator[Reason]:
        """The reasons that break a condition."""
        reasons = self._reasons.get(source, [])
        yield from reasons
        if more := self._more.get(source):
            yield reasons[-1]._replace(detail=f"and {more} more like these")

    def all(self) -> Iterator[Reason]:
        """The reasons of all conditions."""
        for source in self._reasons:
            yield from self.of(source)

    def __contains__(self, source: str) -> bool:
        return source in self._reasons
