using System.Collections;

namespace LanternKeep.Inventory.Tests
{
    /// <summary>Waits for the editor, with a bound.</summary>
    internal static class EditorWait
    {
        public static IEnumerator ForFrames(int frames)
        {
            for (var frame = 0; frame < frames; frame++)
            {
                yield return null;
            }
        }
    }
}
