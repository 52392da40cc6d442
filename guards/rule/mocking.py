"""Rules about what a mock library makes a double of, in C#."""

from collections.abc import Iterator, Sequence

from guards.findings.model import Candidate, Finding
from guards.languages.csharp import CSharpFile
from guards.languages.csharp.inference import Known
from guards.languages.csharp.mocks import FOREIGN, OWN_ABSTRACTION, OWN_CLASS, UNKNOWN, Double, doubles, ownership
from guards.rule import Options, Project, Rule

_WHOSE = {
    OWN_ABSTRACTION: "an abstraction of the project's own",
    OWN_CLASS: "a class of the project's own",
    FOREIGN: "somebody else's",
    UNKNOWN: "not known to be anybody's",
}


class MockRule(Rule[CSharpFile]):
    """One finding for each double that ``flaw`` has something to say of, at the name of what makes it."""

    language = "csharp"
    related_places = True

    def flaw(self, double: Double, project: Project, options: Options) -> str:
        """What is wrong with a double, as a message; empty where nothing is."""
        raise NotImplementedError

    def check(self, file: CSharpFile, options: Options) -> Iterator[Candidate]:
        """A candidate for all that may make a double."""
        del options
        for made in file.creations:
            yield self.candidate(made.place, made.kind, *made.words, function=made.function)

    def judge(self, candidates: Sequence[Candidate], project: Project) -> Iterator[Finding]:
        """The doubles that have the flaw."""
        for double in doubles(project.csharp, candidates, project.is_reported):
            message = self.flaw(double, project, project.options_for(self.name, double.place.path))
            if message:
                yield self.finding(double.place, message, related=double.related)

    def silence(self, candidate: Candidate, project: Project) -> str:
        """Whether it makes a double at all, of what, and whose that is."""
        double = next(iter(doubles(project.csharp, [candidate], lambda _path: True)), None)
        if double is None:
            return "it is not known to make a double"
        if double.type is None:
            return "what it makes a double of is not known"
        whose = _WHOSE[ownership(project.csharp, double.type, project.owned)]
        return f"it makes a double of `{simple_name(double.type)}`, which is {whose}"


def simple_name(known: Known) -> str:
    """A type as people call it."""
    return known.names[0].rpartition(".")[2]
