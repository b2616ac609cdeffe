// Waymark's runtime: the adapter for SwiftUI. It was type-checked without SwiftUI; its behavior was not run.

#if canImport(SwiftUI)
public import Foundation
public import Observation
public import SwiftUI

/// The stack that an app shows, controlled by links and by the user.
@MainActor @Observable
public final class Navigator<Route: WaymarkRoute> {
    /// The current state.
    public private(set) var state: NavigationState<Route>

    /// The last denial; its gate is shown, and ``resume()`` resolves the link again.
    public private(set) var denial: Denial<Route>?

    /// The problem of the last link, for the app to show.
    public private(set) var problem: Problem?

    /// The update that the last link requires, if this version of the app is too old for it.
    public var update: AppUpdate? { problem?.appUpdate }

    /// The first destination of the last plan that this version of the app doesn't know: ask for an update.
    public private(set) var unrecognized: UnrecognizedRoute?

    @ObservationIgnored private let client: WaymarkClient<Route>

    /// The pause after each change of the screen.
    @ObservationIgnored private let pause: Duration

    /// Creates a navigator with a stack.
    public init(
        client: WaymarkClient<Route>,
        state: NavigationState<Route> = NavigationState(),
        pause: Duration = .milliseconds(350)
    ) {
        self.client = client
        self.state = state
        self.pause = pause
    }

    /// Opens a link; a user who lacks a level is sent to the gate.
    public func open(_ url: URL) async {
        await follow { [client] state in try await client.resolve(url.absoluteString, from: state.from) }
    }

    /// Resolves the denied link again, after the user obtained the level; `userVersion` is the version of the user that
    /// the write of the level returned, if the app knows it.
    public func resume(userVersion: Int? = nil) async {
        guard let token = denial?.continuation else { return }
        await follow { [client] _ in try await client.redeem(token, userVersion: userVersion) }
    }

    /// Requests an answer and applies it; repeats once if the user navigated in the meantime.
    private func follow(_ ask: @Sendable (NavigationState<Route>) async throws -> Answer<Route>) async {
        (denial, problem, unrecognized) = (nil, nil, nil)
        for _ in 0..<2 {
            do {
                switch try await ask(state) {
                case .plan(let plan):
                    unrecognized = plan.firstUnrecognized
                    // Nothing can be shown over a destination that this version doesn't know.
                    let steps =
                        unrecognized == nil ? try? state.steps(to: plan) : state.steps(to: plan.recognizedPrefix)
                    guard let steps else { continue }
                    // An empty screen would not explain the problem.
                    return unrecognized != nil && plan.recognizedPrefix.isEmpty ? () : await perform(steps)
                case .denied(let denial):
                    self.denial = denial
                    // A gate that the app is too old for has no stack.
                    guard let stack = denial.gate?.stack, !stack.isEmpty else { return }
                    return await perform(state.steps(to: stack))
                case .problem(let problem):
                    self.problem = problem
                    return
                }
            } catch {
                problem = Problem(members: ["detail": .string("\(error)")], status: 0)
                return
            }
        }
    }

    /// Applies one change after another; only the last is animated.
    private func perform(_ steps: [NavigationStep<Route>]) async {
        for (index, step) in steps.enumerated() {
            let isLast = index == steps.count - 1
            var transaction = SwiftUI.Transaction()
            transaction.disablesAnimations = !isLast
            withTransaction(transaction) { state.perform(step) }
            if !isLast { try? await Task.sleep(for: pause) }
        }
    }

    /// Returns the pushes of a layer, for a `NavigationStack`.
    public func path(of layer: Layer<Route>.ID) -> Binding<[Destination<Route>]> {
        Binding(
            get: { self.state.layers.first { $0.id == layer }?.pushes ?? [] },
            set: { pushes in
                guard self.state.layers.contains(where: { $0.id == layer && $0.pushes != pushes }) else { return }
                self.state.userChangedPath(of: layer.index, to: pushes)
            }
        )
    }

    /// Returns the layer directly over another, if it has one of these presentations; for `sheet(item:)` and the like.
    public func presented(over layer: Layer<Route>.ID, as presentations: Set<Presentation>) -> Binding<Layer<Route>?> {
        Binding(
            get: {
                self.state.layer(over: layer).flatMap { presentations.contains($0.opener.presentation) ? $0 : nil }
            },
            set: { replacement in
                guard replacement == nil, let over = self.state.layer(over: layer),
                    presentations.contains(over.opener.presentation)
                else { return }
                self.state.userDismissed(to: over.index)
            }
        )
    }

    /// Returns whether the layer directly over another has one of these presentations; for alerts and the like.
    public func isPresented(over layer: Layer<Route>.ID, as presentations: Set<Presentation>) -> Binding<Bool> {
        let item = presented(over: layer, as: presentations)
        return Binding(get: { item.wrappedValue != nil }, set: { if !$0 { item.wrappedValue = nil } })
    }
}

/// A stack on screen: a `NavigationStack` for each layer, with the layers presented over it.
///
/// A tab replaces the screen that opened it; an app with a tab bar shows the bar in `screen` for that opener, and the
/// tab by ``WaymarkLayer``.
public struct WaymarkStack<Route: WaymarkRoute, Screen: View, Fallback: View>: View {
    private let navigator: Navigator<Route>
    private let screen: (Route) -> Screen
    private let unrecognized: (UnrecognizedRoute) -> Fallback

    /// Creates a view of a navigator's stack.
    public init(
        _ navigator: Navigator<Route>,
        @ViewBuilder screen: @escaping (Route) -> Screen,
        @ViewBuilder unrecognized: @escaping (UnrecognizedRoute) -> Fallback
    ) {
        self.navigator = navigator
        self.screen = screen
        self.unrecognized = unrecognized
    }

    /// The content of the view.
    public var body: some View {
        let layers = navigator.state.layers
        // Of a root and the tabs directly over it, the innermost tab is on screen.
        let base = layers.prefix(1) + layers.dropFirst().prefix { $0.opener.presentation == .tab }
        if let layer = base.last {
            WaymarkLayer(navigator, layer.id, screen: screen, unrecognized: unrecognized)
        }
    }
}

/// One layer on screen, with its pushes and the layer presented over it.
public struct WaymarkLayer<Route: WaymarkRoute, Screen: View, Fallback: View>: View {
    private let navigator: Navigator<Route>
    private let layer: Layer<Route>.ID
    private let screen: (Route) -> Screen
    private let unrecognized: (UnrecognizedRoute) -> Fallback

    /// Creates a view of one layer of a navigator.
    public init(
        _ navigator: Navigator<Route>,
        _ layer: Layer<Route>.ID,
        @ViewBuilder screen: @escaping (Route) -> Screen,
        @ViewBuilder unrecognized: @escaping (UnrecognizedRoute) -> Fallback
    ) {
        self.navigator = navigator
        self.layer = layer
        self.screen = screen
        self.unrecognized = unrecognized
    }

    /// The content of the view.
    public var body: some View {
        NavigationStack(path: navigator.path(of: layer)) {
            view(of: layer.opener)
                .navigationDestination(for: Destination<Route>.self) { view(of: $0) }
        }
        .sheet(item: navigator.presented(over: layer, as: [.sheet, .bottomSheet, .popover])) { over($0) }
        .fullScreenCover(item: navigator.presented(over: layer, as: [.fullScreenCover])) { over($0) }
        .alert("", isPresented: navigator.isPresented(over: layer, as: [.alert, .confirmationDialog])) {
            if let dialog = navigator.state.layer(over: layer) { view(of: dialog.opener) }
        }
    }

    /// Returns the layer over this one, type-erased, because a view cannot contain its own type.
    private func over(_ layer: Layer<Route>) -> AnyView {
        AnyView(WaymarkLayer(navigator, layer.id, screen: screen, unrecognized: unrecognized))
    }

    @ViewBuilder private func view(of destination: Destination<Route>) -> some View {
        switch destination.route {
        case .known(let route): screen(route)
        case .unrecognized(let route): unrecognized(route)
        }
    }
}
#endif
