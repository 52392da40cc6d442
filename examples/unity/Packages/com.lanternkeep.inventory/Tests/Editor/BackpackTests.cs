using System.Collections;
using System.Threading;
using System.Threading.Tasks;
using NUnit.Framework;
using UnityEditor;
using UnityEngine;
using UnityEngine.TestTools;

namespace LanternKeep.Inventory.Tests
{
    public sealed class BackpackTests
    {
        private Backpack _backpack;

        [SetUp]
        public void SetUp()
        {
            EditorPrefs.SetBool("LanternKeep.ShowWeights", true);
            _backpack = new Backpack { Capacity = 2 };
        }

        [Test]
        public void AddingTwiceCountsTwice()
        {
            _backpack.Add("torch");
            _backpack.Add("torch");

            Assert.That(_backpack.Count("torch"), Is.EqualTo(2));
        }

        [Test]
        public void AFullBackpackOverflows()
        {
            string overflowed = null;
            _backpack.Overflowed += item => overflowed = item;

            _backpack.Add("torch");
            _backpack.Add("rope");
            _backpack.Add("lantern");
            Thread.Sleep(50);

            Assert.That(overflowed, Is.EqualTo("lantern"));
        }

        [Test]
        public async void SavingWritesEveryItem()
        {
            var store = new MemoryStore();
            _backpack.Add("torch", 3);

            await _backpack.SaveAsync(store);

            Assert.That(store.Written["torch"], Is.EqualTo(3));
        }

        [Test]
        public async Task SavingAnEmptyBackpackWritesNothing()
        {
            var store = new MemoryStore();

            await _backpack.SaveAsync(store);

            Assert.That(store.Written, Is.Empty);
        }

        [UnityTest]
        public IEnumerator IconsAreImported()
        {
            AssetDatabase.Refresh();
            yield return EditorWait.ForFrames(10);

            Assert.That(Resources.Load<Sprite>("Icons/torch"), Is.Not.Null);
        }
    }
}
