"""Generations: each load of the editor's scripting domain has one, and says so before it ends."""

from collections.abc import Callable

RELOADING = "domain_reloading"
# Between these two events a change of generation separates the root from its leaves.
_START, _FINISH = "run_started", "run_finished"

Say = Callable[[str, str, str], None]


class Generations:
    """The generations in the order in which they appear, and what breaks their rules."""

    def __init__(self, say: Say) -> None:
        self._say = say
        self._current = ""
        self._announced = False
        self._ended: set[str] = set()
        self._told: set[str] = set()
        self._finished = False
        self.execution: list[str] = []
        self.reloading: list[str] = []

    def event(self, generation: str, kind: str, *, started: bool) -> None:
        """Takes the next event; ``started`` says whether the run has started before it."""
        if not generation:
            self._say("A-41", "GENERATION_MISSING", f"`{kind}` has no generation")
            return
        if self._current and generation != self._current and not self._announced:
            self._say("A-41", "GENERATION_JUMP", "the generation changes, and nothing announced it")
        if generation in self._ended and generation not in self._told:
            self._told.add(generation)
            self._say("A-41", "RELOAD_WITHOUT_NEW_GENERATION", f"`{generation}` announced its end before")
        self._current = generation
        self._announced = kind == RELOADING
        if self._announced:
            self._ended.add(generation)
        self._note(generation, kind, started=started)

    def _note(self, generation: str, kind: str, *, started: bool) -> None:
        if (started or kind == _START) and not self._finished:
            if not self.execution or self.execution[-1] != generation:
                self.execution.append(generation)
            if kind == RELOADING:
                self.reloading.append(generation)
            self._finished = kind == _FINISH
