using System.Threading;
using NUnit.Framework;
using Random = UnityEngine.Random;

namespace LanternKeep.Inventory.Tests
{
    public sealed class LootTableTests
    {
        [Test]
        public void ARolledSeedAlwaysGivesTheSameLoot()
        {
            Random.InitState(7);
            var first = Random.Range(0, 100);
            Random.InitState(7);

            Assert.That(Random.Range(0, 100), Is.EqualTo(first));
        }

#if UNITY_6000_0_OR_NEWER
        [Test]
        public void ChestsAreFilledLazily()
        {
            // suiteguard: allow[thread-sleep]
            Thread.Sleep(100);
            Assert.That(new Backpack().Count("gold"), Is.Zero);
        }
#endif
    }
}
