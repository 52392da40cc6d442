"""The map step: one file in, everything it has to say out. Pure, and fit for any process."""

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from guards.engine.task import Chunk, Collected, FileTask, RulePlan
from guards.findings.model import Candidate, Finding
from guards.findings.suppressions import find_suppressions
from guards.project.model import PRODUCT
from guards.source.text import Unreadable, decode

if TYPE_CHECKING:
    from guards.languages.base import LanguageFile
    from guards.rule import Options, Rule

GRAMMAR_MISSING = "the grammar for {} is not installed; `pip install 'suiteguard[{}]'` brings it"


def collect_chunk(chunk: Chunk) -> list[tuple[Collected, object]]:
    """Collects from the files of a chunk, in order: each with its facts, packed where that is possible, or None."""
    from guards.engine.packing import packed

    results = []
    for task in chunk.tasks:
        collected, facts = collect(task, chunk.plans[task.plan])
        results.append((collected, packed(facts, task.info.language) or facts if facts is not None else None))
    return results


def collect(task: FileTask, plans: Sequence[RulePlan]) -> tuple[Collected, object]:
    """Decodes and parses one file, runs its rules while the tree lives, and drops the tree."""
    path, language = task.info.path, task.info.language
    plans = [plan for plan in plans if triggered(plan, task)]
    if not plans and not task.with_facts:
        return Collected(path, language), None
    try:
        text = decode(path, task.raw, python=language == "python")
    except Unreadable as error:
        return Collected(path, language, failure=str(error)), None
    try:
        file = import_module(f"guards.languages.{language}").open_file(text, task.info)
        collected = _run_rules(file, plans)
        facts = file.facts()  # most of their cost is the parse, and the join nearly always asks for them
    except Exception as error:  # noqa: BLE001 whatever one file does to us, the others are judged
        return Collected(path, language, failure=_failure(error, language)), None
    return collected, facts


def _failure(error: Exception, language: str) -> str:
    from guards.languages.syntax import GaveUp, GrammarMissing

    if isinstance(error, GrammarMissing):
        return GRAMMAR_MISSING.format(language, language)
    if isinstance(error, GaveUp):
        return "given up: parsing reached the limit of CPU time"
    return f"suiteguard failed on it, which is {bug_of_ours(error)}"


def bug_of_ours(error: Exception) -> str:
    """What to say of an error that should not have been, in one line and with the place to look at."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    where = f" in {trace.tb_frame.f_globals.get('__name__')}:{trace.tb_lineno}" if trace is not None else ""
    return f"a bug of ours ({type(error).__name__}: {error}{where})"


def triggered(plan: RulePlan, task: FileTask) -> bool:
    """Whether the rule has anything to look for in the file: of product code, most rules have not."""
    if task.info.role != PRODUCT or not plan.triggers:
        return True
    # A C# identifier can be spelled with \u escapes, which no literal finds.
    return b"\\u" in task.raw or any(trigger in task.raw for trigger in plan.triggers)


def _run_rules(file: "LanguageFile[object]", plans: Sequence[RulePlan]) -> Collected:
    findings: list[Finding] = []
    candidates: list[Candidate] = []
    kinds = file.kinds()
    for plan in plans:
        if plan.needs and kinds.isdisjoint(plan.needs):
            continue
        rule, options = load_rule(plan)
        for item in rule.check(file, options):
            if isinstance(item, Finding):
                findings.append(item)
            else:
                candidates.append(item)
    text, info = file.text, file.info
    return Collected(
        info.path,
        info.language,
        tuple(findings),
        tuple(candidates),
        find_suppressions(file),
        tuple(file.unread),
        note=text.note,
    )


def load_rule(plan: RulePlan) -> "tuple[Rule[LanguageFile[object]], Options]":
    """The rule that a plan names, and its options."""
    from guards.rule import Options

    if plan.rows:
        from guards.rule.forbidden import ConfiguredRows

        return ConfiguredRows(plan.name, plan.rows), Options(plan.options)
    return _rule_class(plan.module, plan.class_name)(), Options(plan.options)


@cache
def _rule_class(module: str, class_name: str) -> "type[Rule[LanguageFile[object]]]":
    rule_class: type[Rule[LanguageFile[object]]] = getattr(import_module(module), class_name)
    return rule_class
