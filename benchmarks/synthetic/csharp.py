"""A Unity project: a product and a test assembly for every hundred files, NUnit tests with a common base."""

import json
from collections.abc import Iterator
from random import Random
from string import Template

from benchmarks.synthetic.model import Planted, Source, bodies, is_product, noun, used_by

_FILES_AN_ASSEMBLY = 100

_METHODS = (
    """
        /// <summary>What $Verb$index does to the total.</summary>
        public int $Verb$index(int amount)
        {
            if (amount < $few)
                throw new System.ArgumentOutOfRangeException(nameof(amount));
            total += amount * $many;
            return total;
        }
""",
    """
        public IReadOnlyList<string> $Verb$index(IEnumerable<string> names)
        {
            var found = new List<string>();
            foreach (var name in names.Where(each => each.Length > $few))
            {
                if (!known.TryGetValue(name, out var count))
                    count = $many;
                known[name] = count + 1;
                found.Add(name.Trim());
            }
            return found;
        }
""",
    """
        public async Task<bool> $Verb$index(CancellationToken token)
        {
            for (var turn = 0; turn < $few; turn++)
            {
                token.ThrowIfCancellationRequested();
                await Task.Yield();
                total += turn;
            }
            return total > $many;
        }
""",
)

_TESTS = (
    """
        [Test]
        public void ${Verb}_${index}_ToTheTotal()
        {
            var before = subject.Total;
            subject.Count($many);
            Assert.That(subject.Total, Is.EqualTo(before + $many), "the total");
            Assert.That(subject.Known, Is.Empty);
        }
""",
    """
        [TestCase($few, ExpectedResult = $few)]
        [TestCase($many, ExpectedResult = $many)]
        public int ${Verb}_${index}_ForEachCase(int amount)
        {
            // The base counts for us, and the subject starts at nothing.
            subject.Count(amount);
            return subject.Total;
        }
""",
    """
        [Test]
        public async Task ${Verb}_${index}_InTime()
        {
            using var source = new CancellationTokenSource();
            var names = new List<string> { "one", "two", $$"number {$many}" };
            foreach (var name in names)
            {
                subject.Remember(name);
                await Task.Yield();
            }
            Assert.AreEqual(names.Count, subject.Known.Count);
            Assert.IsFalse(source.IsCancellationRequested);
        }
""",
    """
        [Test]
        public void ${Verb}_${index}_RefusesNothing()
        {
            var error = Assert.Throws<System.ArgumentException>(() => subject.Remember(string.Empty));
            Assert.That(error.ParamName, Is.EqualTo("name"));
            AssertUnchanged($few);
        }

        private void AssertUnchanged${index}(int times)
        {
            for (var turn = 0; turn < times; turn++)
                Assert.That(subject.Total, Is.Zero, () => $$"after {turn} turns");
        }
""",
    """
        [Test, Category("Slow")]
        public void ${Verb}_${index}_WhateverTheOrder([Values($few, $many)] int first, [Values(1, 2)] int second)
        {
            var other = new ${noun}();
            subject.Count(first);
            subject.Count(second);
            other.Count(second);
            other.Count(first);
            Assert.That(subject.Total, Is.EqualTo(other.Total).And.GreaterThan($few));
        }
""",
)

_PRODUCT = """using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace Synthetic.Product
{
    public sealed class ${noun}
    {
        private readonly Dictionary<string, int> known = new Dictionary<string, int>();
        private int total;

        public int Total => total;

        public IReadOnlyDictionary<string, int> Known => known;

        public void Count(int amount) => total += amount;

        public void Remember(string name)
        {
            if (string.IsNullOrEmpty(name))
                throw new System.ArgumentException("a name is needed", nameof(name));
            known[name] = total;
        }
${methods}    }
}
"""
_FIXTURE = """using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using Synthetic.Product;

namespace Synthetic.Tests
{
    public class ${noun}Tests${number} : SyntheticTestBase
    {
        private ${noun} subject;

        [SetUp]
        public void MakeSubject() => subject = new ${noun}();
${tests}${flaw}
        private void AssertUnchanged(int times)
        {
            Assert.That(subject.Total, Is.Zero);
            Assert.That(Turns, Is.LessThan(times));
        }
    }
}
"""
_BASE = """using NUnit.Framework;

namespace Synthetic.Tests
{
    public abstract class SyntheticTestBase
    {
        protected int Turns { get; private set; }

        [TearDown]
        public void Restore() => Turns = 0;
    }
}
"""
_SLEEPING = """
        [Test]
        public void Waits()
        {
            Thread.Sleep(10);
            Assert.That(subject.Total, Is.Zero);
        }
"""
_FORGETTING = """
        [Test]
        public async void Forgets()
        {
            await Task.Yield();
            Assert.That(subject.Total, Is.Zero);
        }
"""
_FLAWS = {7: ("thread-sleep", _SLEEPING), 13: ("async-void", _FORGETTING)}


def settings(count: int) -> Iterator[Source]:
    """The editor's version and the assemblies; the tests' common base is in the first one."""
    yield Source("ProjectSettings/ProjectVersion.txt", "m_EditorVersion: 6000.0.65f1\n")
    base = "Synthetic.Tests.Base"
    yield _assembly("Assets/Base", base, [], tests=True)
    yield Source("Assets/Base/SyntheticTestBase.cs", _BASE)
    for first in range(0, count, _FILES_AN_ASSEMBLY):
        product = _assembly_of(first)
        yield _assembly(f"Assets/{product}", product, [], tests=False)
        yield _assembly(f"Assets/{product}.Tests", f"{product}.Tests", [base, *_products(first)], tests=True)


def _products(first: int) -> list[str]:
    """The assembly of the same hundred, and the one before: a test may use the last file of that."""
    return sorted({_assembly_of(first), _assembly_of(max(0, first - 1))})


def _assembly_of(number: int) -> str:
    return f"Synthetic{number // _FILES_AN_ASSEMBLY:02d}"


def _assembly(folder: str, name: str, references: list[str], *, tests: bool) -> Source:
    more = {"includePlatforms": ["Editor"], "precompiledReferences": ["nunit.framework.dll"]} if tests else {}
    if tests:
        references = [*references, "UnityEngine.TestRunner", "UnityEditor.TestRunner"]
    definition = {
        "name": name,
        "references": references,
        "overrideReferences": tests,
        "defineConstraints": ["UNITY_INCLUDE_TESTS"] if tests else [],
        **more,
    }
    return Source(f"{folder}/{name}.asmdef", json.dumps(definition, indent=4) + "\n")


def source(number: int, random: Random) -> Source:
    """A class, or a fixture for one."""
    assembly = _assembly_of(number)
    name = noun(used_by(number))
    if is_product(number):
        methods = "".join(bodies(_METHODS, number, random))
        return Source(f"Assets/{assembly}/{name}.cs", Template(_PRODUCT).substitute(noun=name, methods=methods))
    path = f"Assets/{assembly}.Tests/{name}Tests{number}.cs"
    rule, flaw = _FLAWS.get(number % 20, ("", ""))
    text = Template(_FIXTURE).substitute(
        noun=name, number=number, tests="".join(bodies(_TESTS, number, random)), flaw=flaw
    )
    return Source(path, text, (Planted(path, rule),) if rule else ())
