// swift-format-ignore-file
// The parts of SwiftUI that the adapter and the sample app use, as declarations: what compiles against them has the right
// types, and nothing more is said. The signatures are those of Apple's documentation as of iOS 17, with the isolation of the
// SDK of iOS 18; the comments are pages below developer.apple.com/documentation/swiftui.
@_exported import Foundation

@MainActor @preconcurrency public protocol View {
    associatedtype Body: View
    @ViewBuilder @MainActor @preconcurrency var body: Body { get }
}

/// A name that the runtime must leave to SwiftUI.
public protocol Transition {}

extension Never: View {
    public var body: Never { fatalError() }
}

public struct EmptyView: View {
    public nonisolated init() {}
    public var body: Never { fatalError() }
}

public struct AnyView: View {
    public init(_ view: some View) {}
    public var body: Never { fatalError() }
}

public struct Text: View {
    public init(_ text: String) {}
    public var body: Never { fatalError() }
}

// button/init(_:action:)
public struct Button<Label: View>: View {
    public init(_ title: String, action: @escaping @MainActor () -> Void) where Label == Text {}
    public var body: Never { fatalError() }
}

/// A type whose values apps hand over to each other, such as `String`.
public protocol Transferable: Sendable {}

extension String: Transferable {}

// pastebutton/init(payloadtype:onpaste:)
public struct PasteButton: View {
    public init<T: Transferable>(payloadType: T.Type, onPaste: @escaping ([T]) -> Void) {}
    public var body: Never { fatalError() }
}

// sharelink/init(item:subject:message:)
public struct ShareLink: View {
    public init(item: URL) {}
    public var body: Never { fatalError() }
}

// foreach/init(_:id:content:)
public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content: View>: View {
    public init(_ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content) {}
    public var body: Never { fatalError() }
}

public struct List<Content: View>: View {
    public init(@ViewBuilder content: () -> Content) {}
    public var body: Never { fatalError() }
}

public struct VStack<Content: View>: View {
    public init(@ViewBuilder content: () -> Content) {}
    public var body: Never { fatalError() }
}

public struct TupleView<Parts>: View {
    public var body: Never { fatalError() }
}

public struct ConditionalView<First: View, Second: View>: View {
    public var body: Never { fatalError() }
}

extension Optional: View where Wrapped: View {
    public var body: Never { fatalError() }
}

@resultBuilder public enum ViewBuilder {
    public static func buildBlock() -> EmptyView { EmptyView() }
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView<
        (repeat each Content)
    > {
        TupleView()
    }
    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
    public static func buildEither<First: View, Second: View>(first: First) -> ConditionalView<First, Second> {
        ConditionalView()
    }
    public static func buildEither<First: View, Second: View>(second: Second) -> ConditionalView<First, Second> {
        ConditionalView()
    }
}

@propertyWrapper public struct Binding<Value> {
    // binding/init(get:set:)
    @preconcurrency public init(
        @_inheritActorContext get: @escaping @isolated(any) @Sendable () -> Value,
        @_inheritActorContext set: @escaping @isolated(any) @Sendable (Value) -> Void
    ) {}
    @MainActor public var wrappedValue: Value {
        get { fatalError() }
        nonmutating set {}
    }
    public var projectedValue: Binding<Value> { self }
}

@propertyWrapper public struct State<Value> {
    public init(wrappedValue: Value) {}
    @MainActor public var wrappedValue: Value {
        get { fatalError() }
        nonmutating set {}
    }
    @MainActor public var projectedValue: Binding<Value> { fatalError() }
}

// navigationstack/init(path:root:)
public struct NavigationStack<Data, Root: View>: View {
    @MainActor public init(path: Binding<Data>, @ViewBuilder root: () -> Root)
    where Data: MutableCollection & RandomAccessCollection & RangeReplaceableCollection, Data.Element: Hashable {}
    public var body: Never { fatalError() }
}

// tabview/init(selection:content:)
public struct TabView<Selection: Hashable, Content: View>: View {
    @MainActor public init(selection: Binding<Selection>, @ViewBuilder content: () -> Content) {}
    public var body: Never { fatalError() }
}

public struct Transaction {
    public init() {}
    public var disablesAnimations = false
}

@MainActor public func withTransaction<Result>(_ transaction: Transaction, _ body: () throws -> Result) rethrows
    -> Result
{
    try body()
}

extension View {
    // view/navigationdestination(for:destination:)
    public func navigationDestination<Value: Hashable>(
        for data: Value.Type,
        @ViewBuilder destination: @escaping (Value) -> some View
    ) -> some View { self }
    // view/navigationtitle(_:)
    public func navigationTitle(_ title: String) -> some View { self }
    // view/sheet(item:ondismiss:content:)
    public func sheet<Item: Identifiable>(
        item: Binding<Item?>,
        onDismiss: (() -> Void)? = nil,
        @ViewBuilder content: @escaping (Item) -> some View
    ) -> some View { self }
    // view/fullscreencover(item:ondismiss:content:), not for macOS
    public func fullScreenCover<Item: Identifiable>(
        item: Binding<Item?>,
        onDismiss: (() -> Void)? = nil,
        @ViewBuilder content: @escaping (Item) -> some View
    ) -> some View { self }
    // view/alert(_:ispresented:actions:)
    public func alert(_ title: String, isPresented: Binding<Bool>, @ViewBuilder actions: () -> some View) -> some View {
        self
    }
    // view/onopenurl(perform:)
    public func onOpenURL(perform action: @escaping (URL) -> Void) -> some View { self }
    // view/task(id:priority:_:)
    public func task<ID: Equatable>(
        id: ID,
        priority: TaskPriority = .userInitiated,
        @_inheritActorContext _ action: @escaping @isolated(any) @Sendable () async -> Void
    ) -> some View { self }
    // view/tabitem(_:)
    public func tabItem(@ViewBuilder _ label: () -> some View) -> some View { self }
    // view/tag(_:includeoptional:)
    public func tag(_ value: some Hashable) -> some View { self }
}

@MainActor @preconcurrency public protocol Scene {
    associatedtype Body: Scene
    @SceneBuilder @MainActor @preconcurrency var body: Body { get }
}

extension Never: Scene {}

@resultBuilder public enum SceneBuilder {
    public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}

// windowgroup/init(content:)
public struct WindowGroup<Content: View>: Scene {
    public init(@ViewBuilder content: () -> Content) {}
    public var body: Never { fatalError() }
}

@MainActor @preconcurrency public protocol App {
    associatedtype Body: Scene
    @SceneBuilder @MainActor @preconcurrency var body: Body { get }
    @MainActor @preconcurrency init()
}

extension App {
    public static func main() {}
}
