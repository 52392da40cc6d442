using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace LanternKeep.Inventory.Tests
{
    /// <summary>A store of our own that keeps what was written.</summary>
    internal sealed class MemoryStore : IBackpackStore
    {
        public IReadOnlyDictionary<string, int> Written { get; private set; } = new Dictionary<string, int>();

        public Task WriteAsync(IReadOnlyDictionary<string, int> items)
        {
            Written = items;
            return Task.CompletedTask;
        }

        /// <summary>What a slow disk does to whoever waits for it.</summary>
        public void BlockWriter()
        {
            // suiteguard: allow[thread-sleep] the fake disk runs on a thread of its own, and being slow is its job
            Thread.Sleep(200);
        }
    }
}
