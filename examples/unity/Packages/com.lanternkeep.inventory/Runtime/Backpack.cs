using System;
using System.Collections.Generic;
using System.Threading.Tasks;

namespace LanternKeep.Inventory
{
    /// <summary>What the hero carries.</summary>
    public sealed class Backpack
    {
        private readonly Dictionary<string, int> _items = new();

        public event Action<string> Overflowed;

        public int Capacity { get; set; } = 24;

        public int Count(string item) => _items.TryGetValue(item, out var count) ? count : 0;

        public void Add(string item, int count = 1)
        {
            if (_items.Count >= Capacity && !_items.ContainsKey(item))
            {
                Overflowed?.Invoke(item);
                return;
            }
            _items[item] = Count(item) + count;
        }

        public Task SaveAsync(IBackpackStore store) => store.WriteAsync(new Dictionary<string, int>(_items));
    }

    public interface IBackpackStore
    {
        Task WriteAsync(IReadOnlyDictionary<string, int> items);
    }
}
