"""Rules about what a mock library makes a double of, in C#."""

from collections.abc import Iterator, Sequence

from guards.findings.model import Candidate, Finding
from guards.languages.csharp import CSharpFile
from guards.languages.csharp.inference import Known
from guards.languages.csharp.mocks import Double, doubles
from guards.rule import Options, Project, Rule


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
        for double in doubles(project.csharp, candidates):
            message = self.flaw(double, project, project.options_for(self.name, double.place.path))
            if message:
                yield self.finding(double.place, message, related=double.related)


def simple_name(known: Known) -> str:
    """A type as people call it."""
    return known.names[0].rpartition(".")[2]
