"""Types of frameworks that tests meet, by namespace, so that their names resolve without the assemblies.

The tables are no complete lists. A type that is missing here still resolves through the usings
of the file that names it; the tables decide where several namespaces could supply a name, or
where an enclosing namespace does.
"""

from guards.languages.csharp.words import words

TYPES: dict[str, frozenset[str]] = {
    namespace: words(types)
    for namespace, types in {
        "System": (
            "Action Activator AppContext AppDomain ArgumentException ArgumentNullException Array AsyncCallback "
            "Attribute BitConverter Boolean Buffer Byte Char Console Convert DateOnly DateTime DateTimeOffset "
            "Decimal Delegate Double Enum Environment EventArgs EventHandler Exception Func GC Guid "
            "IAsyncDisposable IAsyncResult IComparable IDisposable IEquatable IFormatProvider "
            "IndexOutOfRangeException Int16 Int32 Int64 InvalidOperationException IObservable IObserver IProgress "
            "IServiceProvider Lazy Math MathF Memory MulticastDelegate NotImplementedException "
            "NotSupportedException Nullable NullReferenceException Object ObjectDisposedException "
            "ObsoleteAttribute OperationCanceledException Predicate Progress Random ReadOnlyMemory ReadOnlySpan "
            "SerializableAttribute Single Span String StringComparer StringComparison TimeOnly TimeoutException "
            "TimeProvider TimeSpan TimeZoneInfo Tuple Type UInt16 UInt32 UInt64 Uri ValueTuple Version"
        ),
        "System.Collections": (
            "ArrayList BitArray Hashtable ICollection IComparer IDictionary IEnumerable IEnumerator "
            "IEqualityComparer IList Queue Stack"
        ),
        "System.Collections.Concurrent": (
            "BlockingCollection ConcurrentBag ConcurrentDictionary ConcurrentQueue ConcurrentStack"
        ),
        "System.Collections.Generic": (
            "Comparer Dictionary EqualityComparer HashSet IAsyncEnumerable IAsyncEnumerator ICollection IComparer "
            "IDictionary IEnumerable IEnumerator IEqualityComparer IList IReadOnlyCollection IReadOnlyDictionary "
            "IReadOnlyList ISet KeyValuePair LinkedList List PriorityQueue Queue SortedDictionary SortedList "
            "SortedSet Stack"
        ),
        "System.ComponentModel": "BackgroundWorker Component INotifyPropertyChanged",
        "System.Diagnostics": (
            "Activity ConditionalAttribute Debug Debugger Process ProcessStartInfo StackTrace Stopwatch Trace"
        ),
        "System.Globalization": "CultureInfo DateTimeStyles NumberStyles",
        "System.IO": (
            "BinaryReader BinaryWriter Directory DirectoryInfo File FileInfo FileStream FileSystemInfo "
            "IOException MemoryStream Path Stream StreamReader StreamWriter StringReader StringWriter TextReader "
            "TextWriter"
        ),
        "System.Linq": "Enumerable ILookup IQueryable Queryable",
        "System.Net": "Dns HttpListener HttpStatusCode IPAddress IPEndPoint WebClient WebRequest",
        "System.Net.Http": "HttpClient HttpClientHandler HttpMessageHandler HttpRequestMessage HttpResponseMessage",
        "System.Net.Sockets": "NetworkStream Socket TcpClient TcpListener UdpClient",
        "System.Reflection": "Assembly BindingFlags FieldInfo MemberInfo MethodBase MethodInfo PropertyInfo TypeInfo",
        "System.Text": "Encoding StringBuilder",
        "System.Text.RegularExpressions": "Match Regex RegexOptions",
        "System.Threading": (
            "AutoResetEvent Barrier CancellationToken CancellationTokenSource CountdownEvent EventWaitHandle "
            "ExecutionContext Interlocked Lock ManualResetEvent ManualResetEventSlim Monitor Mutex PeriodicTimer "
            "ReaderWriterLock ReaderWriterLockSlim Semaphore SemaphoreSlim SpinLock SpinWait "
            "SynchronizationContext Thread ThreadLocal ThreadPool ThreadPriority ThreadStart Timeout Timer "
            "TimerCallback Volatile WaitCallback WaitHandle"
        ),
        "System.Threading.Channels": "Channel ChannelReader ChannelWriter",
        "System.Threading.Tasks": (
            "Parallel Task TaskCanceledException TaskCompletionSource TaskFactory TaskScheduler TaskStatus ValueTask"
        ),
        "System.Timers": "ElapsedEventArgs Timer",
        "NUnit.Framework": (
            "ActualValueDelegate ApartmentAttribute Assert AssertionException Assume AsyncTestDelegate "
            "AuthorAttribute CancelAfterAttribute CategoryAttribute ClassicAssert CollectionAssert "
            "CombinatorialAttribute Contains CultureAttribute DatapointAttribute DatapointSourceAttribute "
            "DefaultFloatingPointToleranceAttribute DescriptionAttribute DirectoryAssert Does ExplicitAttribute "
            "FileAssert FixtureLifeCycleAttribute Has IgnoreAttribute IgnoreException InconclusiveException Is Iz "
            "LevelOfParallelismAttribute MaxTimeAttribute MultipleAssertException NonParallelizableAttribute "
            "NUnitAttribute OneTimeSetUpAttribute OneTimeTearDownAttribute OrderAttribute PairwiseAttribute "
            "ParallelizableAttribute PlatformAttribute PropertyAttribute RandomAttribute RangeAttribute "
            "RepeatAttribute RequiresThreadAttribute ResultStateException RetryAttribute SequentialAttribute "
            "SetUpAttribute SetUpFixtureAttribute SingleThreadedAttribute StringAssert SuccessException "
            "TearDownAttribute TestAttribute TestCaseAttribute TestCaseData TestCaseSourceAttribute TestContext "
            "TestDelegate TestFixtureAttribute TestFixtureSourceAttribute TestOfAttribute TheoryAttribute Throws "
            "TimeoutAttribute ValuesAttribute ValueSourceAttribute Warn"
        ),
        "NUnit.Framework.Legacy": "ClassicAssert CollectionAssert DirectoryAssert FileAssert StringAssert",
        "NUnit.Framework.Interfaces": (
            "IApplyToTest ICommandWrapper IFixtureBuilder IImplyFixture IMethodInfo ISimpleTestBuilder ITest "
            "ITestAction ITestBuilder ITypeInfo IWrapSetUpTearDown IWrapTestMethod"
        ),
        "Xunit": (
            "Assert ClassDataAttribute CollectionAttribute CollectionDefinitionAttribute FactAttribute "
            "IAsyncLifetime IClassFixture ICollectionFixture InlineDataAttribute MemberDataAttribute Record Skip "
            "SkipException SkippableFactAttribute SkippableTheoryAttribute TestContext TheoryAttribute TheoryData "
            "TraitAttribute"
        ),
        "Xunit.Abstractions": "ITestOutputHelper",
        "Microsoft.VisualStudio.TestTools.UnitTesting": (
            "AssemblyCleanupAttribute AssemblyInitializeAttribute Assert ClassCleanupAttribute "
            "ClassInitializeAttribute CollectionAssert DataRowAttribute DataTestMethodAttribute "
            "DynamicDataAttribute IgnoreAttribute StringAssert TestCategoryAttribute TestClassAttribute "
            "TestCleanupAttribute TestContext TestInitializeAttribute TestMethodAttribute TimeoutAttribute"
        ),
        "TUnit.Core": (
            "AfterAttribute ArgumentsAttribute BeforeAttribute CategoryAttribute SkipAttribute TestAttribute "
            "TestContext"
        ),
        "TUnit.Assertions": "Assert",
        "Moq": "It Mock MockBehavior MockFactory MockRepository Mocks Times",
        "NSubstitute": "Arg Substitute",
        "FakeItEasy": "A Fake",
        "Telerik.JustMock": "Mock",
        "Rocks": "Rock RockAttribute RockCreateAttribute RockMakeAttribute RockPartialAttribute",
        "UnityEngine": (
            "AddComponentMenu AnimationCurve Animator Application AssetBundle AsyncOperation AudioClip "
            "AudioSource Awaitable Behaviour BoxCollider Camera Canvas Collider Color Color32 Component Coroutine "
            "CustomYieldInstruction Debug ExecuteAlways Font GameObject Gizmos GL Gradient Graphics GUI GUILayout "
            "HideFlags HideInInspector Input JsonUtility KeyCode LayerMask Light LogType Material Mathf Matrix4x4 "
            "Mesh MeshFilter MeshRenderer MonoBehaviour Object ParticleSystem Physics Physics2D PlayerPrefs "
            "PrimitiveType Quaternion RangeAttribute Ray RaycastHit Rect RectTransform Renderer RenderTexture "
            "Resources Rigidbody Rigidbody2D RuntimePlatform Screen ScriptableObject SerializeField Shader Sprite "
            "SpriteRenderer SystemInfo TextAsset Texture Texture2D Time TooltipAttribute Touch Transform Vector2 "
            "Vector3 Vector4 WaitForEndOfFrame WaitForFixedUpdate WaitForSeconds WaitForSecondsRealtime WaitUntil "
            "WaitWhile YieldInstruction"
        ),
        "UnityEngine.Events": "UnityAction UnityEvent",
        "UnityEngine.Networking": "UnityWebRequest",
        "UnityEngine.SceneManagement": "LoadSceneMode Scene SceneManager",
        "UnityEngine.TestTools": (
            "ConditionalIgnoreAttribute EnterPlayMode ExitPlayMode IEditModeTestYieldInstruction "
            "IMonoBehaviourTest IOuterUnityTestAction IPostBuildCleanup IPrebuildSetup LogAssert "
            "MonoBehaviourTest PostBuildCleanupAttribute PrebuildSetupAttribute RecompileScripts "
            "TestMustExpectAllLogsAttribute TestPlatform UnityPlatformAttribute UnitySetUpAttribute "
            "UnityTearDownAttribute UnityTestAttribute WaitForDomainReload"
        ),
        "UnityEngine.TestTools.Utils": (
            "ColorEqualityComparer FloatEqualityComparer QuaternionEqualityComparer Vector2EqualityComparer "
            "Vector3EqualityComparer Vector4EqualityComparer"
        ),
        "UnityEngine.UIElements": "Button CallbackEventHandler EventBase Label Toggle VisualElement",
        "Unity.PerformanceTesting": "Measure PerformanceAttribute",
        "UnityEditor": (
            "AssetDatabase AssetImporter AssetPostprocessor BuildOptions BuildPipeline BuildPlayerOptions "
            "BuildTarget BuildTargetGroup Editor EditorApplication EditorBuildSettings EditorGUI EditorGUILayout "
            "EditorGUIUtility EditorPrefs EditorUserBuildSettings EditorUtility EditorWindow ExportPackageOptions "
            "FileUtil ForceReserializeAssetsOptions GenericMenu Handles ImportAssetOptions "
            "InitializeOnLoadAttribute InitializeOnLoadMethodAttribute MenuCommand MenuItem MonoImporter "
            "MonoScript PlayerSettings PlayModeStateChange PrefabUtility ScriptableSingleton "
            "ScriptingImplementation Selection SerializedObject SerializedProperty SessionState SettingsProvider "
            "TypeCache Undo"
        ),
        "UnityEditor.Build": "IPreprocessBuildWithReport NamedBuildTarget",
        "UnityEditor.Compilation": "Assembly AssemblyBuilder CompilationPipeline CompilerMessage",
        "UnityEditor.PackageManager": "Client PackageInfo",
        "UnityEditor.SceneManagement": (
            "EditorSceneManager NewSceneMode NewSceneSetup OpenSceneMode PrefabStage PrefabStageUtility "
            "SceneSetup StageUtility"
        ),
        "UnityEditor.TestTools.TestRunner.Api": "TestRunnerApi",
        "Cysharp.Threading.Tasks": "UniTask UniTaskCompletionSource UniTaskVoid",
    }.items()
}

ENUMS = words(
    "BindingFlags BuildTarget BuildTargetGroup DateTimeStyles ExportPackageOptions ForceReserializeAssetsOptions "
    "HideFlags ImportAssetOptions LoadSceneMode LogType MessageMatch NewSceneMode NewSceneSetup OpenSceneMode "
    "RuntimePlatform StringComparison TestPlatform"
)
_GENERIC_ONLY = frozenset({"System.Collections.Generic"})
_NEVER_GENERIC = frozenset({"System.Collections"})


def is_known(namespace: str, name: str, arity: int) -> bool:
    """Whether the tables know a type; where a name is both generic and not, the namespace tells them apart."""
    if namespace in (_NEVER_GENERIC if arity else _GENERIC_ONLY):
        return False
    return name in TYPES.get(namespace, ())


NAMESPACES = frozenset(
    ".".join(parts[:length]) for parts in (name.split(".") for name in TYPES) for length in range(1, len(parts) + 1)
)


def is_attribute(name: str) -> bool:
    """Whether the tables know an attribute of a simple name, with or without ``Attribute`` at its end."""
    full = name if name.endswith("Attribute") else f"{name}Attribute"
    return any(full in types for types in TYPES.values())
