"""Rules about what a patcher replaces: each call of one belongs to the class of one rule."""

from collections.abc import Iterator, Sequence

from guards.config.globs import matches_any
from guards.findings.model import Candidate, Finding
from guards.languages.python import Index, PythonFile
from guards.languages.python.facts import PatchCall
from guards.languages.python.handles import Patch, call_of, resolve_patch, words_of
from guards.rule import Option, Options, Project, Rule

ALLOW = Option(
    ("os.environ", "sys.argv"), "Full names, or globs of them, that may be patched, with all that is below them."
)
ALLOW_PATHS = Option((), "Globs of the files in which everything may be patched.", paths=True)


class PatchRule(Rule[PythonFile]):
    """One finding for each call of a patcher that ``flaw`` has something to say of.

    The rule has an option ``allow-paths``.
    """

    language = "python"
    needs = ("call",)

    def calls(self, file: PythonFile) -> tuple[PatchCall, ...]:
        """The calls that the rule looks at."""
        return file.patches

    def flaw(self, patch: Patch, index: Index, options: Options) -> str:
        """What is wrong with a patch, as a message; empty where nothing is."""
        raise NotImplementedError

    def flaw_finding(self, candidate: Candidate, patch: Patch, message: str) -> Finding:
        """The finding that a flawed patch is."""
        del patch
        return self.finding(candidate.place, message)

    def check(self, file: PythonFile, options: Options) -> Iterator[Candidate]:
        """One candidate for each call that may be a patcher's."""
        if matches_any(options.names("allow-paths"), file.info.path):
            return
        for call in self.calls(file):
            yield self.candidate(call.place, "patch", *words_of(call), function=call.function)

    def judge(self, candidates: Sequence[Candidate], project: Project) -> Iterator[Finding]:
        """The calls whose target has the flaw."""
        for candidate in candidates:
            path = candidate.place.path
            patch = resolve_patch(project.python, path, call_of(candidate))
            message = self.flaw(patch, project.python, project.options_for(self.name, path)) if patch else ""
            if patch is not None and message:
                yield self.flaw_finding(candidate, patch, message)

    def silence(self, candidate: Candidate, project: Project) -> str:
        """Whether it is no patcher's call, or what it replaces is none of this rule's business or not known."""
        call = call_of(candidate)
        patch = resolve_patch(project.python, candidate.place.path, call)
        if patch is None:
            return f"`{call.callee.rpartition(':')[2]}` is not known to be a patcher"
        return f"what it replaces is `{patch.name}`" if patch.name else "what it replaces is not known"
