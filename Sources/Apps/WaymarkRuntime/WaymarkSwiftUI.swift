// Waymark's runtime: the adapter for SwiftUI, for iOS 17, macOS 14 and newer. It was type-checked without SwiftUI, but
// its behavior was not run.

#if canImport(SwiftUI)
public import SwiftUI

/// The screens on display: a `NavigationStack` for each layer and tab, with the layers presented over it.
///
/// A screen with tabs draws them with ``WaymarkPlace/selectedTab(of:)`` and ``WaymarkPlace/content(of:)``.
public struct WaymarkStack<Route: WaymarkRoute>: View {
    private let screens: WaymarkScreens<Route>

    /// Creates a view of a navigator's state.
    ///
    /// - Parameters:
    ///   - navigator: the navigator to show and to change.
    ///   - screen: returns the screen of a route, given its place in the path.
    ///   - unrecognized: returns the screen of a route that this version of the app doesn't know.
    public init(
        _ navigator: WaymarkNavigator<Route>,
        @ViewBuilder screen: @escaping (Route, WaymarkPlace<Route>) -> some View,
        @ViewBuilder unrecognized: @escaping (UnrecognizedRoute) -> some View
    ) {
        screens = WaymarkScreens(
            navigator: navigator,
            screen: { AnyView(screen($0, $1)) },
            unrecognized: { AnyView(unrecognized($0)) }
        )
    }

    /// The content of the view.
    public var body: some View {
        if !screens.navigator.state.layers.isEmpty { WaymarkLayer(screens: screens, layer: 0) }
    }
}

/// The place of a screen in the path from the root to the top.
@MainActor
public struct WaymarkPlace<Route: WaymarkRoute> {
    /// The destinations below, root first.
    public let below: [WaymarkDestination<Route>]

    let screens: WaymarkScreens<Route>
    let branch: WaymarkBranchID<Route>
    let screen: Int

    /// The index of the screen in the flat path, while the screen is in it.
    public var index: Int { below.count }

    /// Returns the selected tab over this screen, for `TabView(selection:)` with the routes of `tabs` as tags.
    ///
    /// A tab that was shown with other values, such as a search with its words, has the tag of the route with its name.
    ///
    /// - Parameters:
    ///   - tabs: the tabs of the bar, in its order.
    ///   - link: returns the link of a tab that the server must allow. The tab is shown when the link has been opened,
    ///     and later without a link. A user without its level is sent to the gate.
    /// - Returns: the selection.
    public func selectedTab(
        of tabs: [Route],
        opening link: @escaping @MainActor (Route) -> String? = { _ in nil }
    ) -> Binding<Route?> {
        let navigator = screens.navigator
        return selection(of: tabs) { tab in
            guard let link = link(tab) else { return false }
            Task { await navigator.open(link) }
            return true
        }
    }

    /// Returns the selected tab over this screen, for `TabView(selection:)` with the routes of `tabs` as tags.
    ///
    /// - Parameters:
    ///   - tabs: the tabs of the bar, in its order.
    ///   - gated: the tabs that the server must allow. Such a tab is shown when the server has allowed it, and later
    ///     without asking. A user without its level is sent to the gate.
    /// - Returns: the selection.
    public func selectedTab(of tabs: [Route], gated: [Route]) -> Binding<Route?> {
        let (navigator, index) = (screens.navigator, index)
        return selection(of: tabs) { tab in
            guard gated.contains(tab) else { return false }
            let stack = navigator.state.stack.prefix(index + 1) + [WaymarkDestination(tab, presentation: .tab)]
            Task { await navigator.open(Array(stack)) }
            return true
        }
    }

    /// Returns the selected tab.
    ///
    /// `open` opens a tab that was not shown before, and returns whether it does.
    private func selection(of tabs: [Route], open: @escaping @MainActor (Route) -> Bool) -> Binding<Route?> {
        let (navigator, index) = (screens.navigator, index)
        return Binding(
            get: {
                // A tab that was not allowed is no longer selected, so a problem must redraw the bar.
                _ = navigator.problem
                let over = navigator.state.stack.dropFirst(index + 1).first?.route
                return tabs.first { $0 == over?.known } ?? tabs.first { $0.name == over?.name } ?? tabs.first
            },
            set: { tab in
                guard let tab else { return }
                let shown = navigator.state.tabs(at: index + 1).compactMap(\.first?.destination.route.name)
                guard shown.contains(tab.name) || !open(tab) else { return }
                navigator.select(tab, at: index + 1)
            }
        )
    }

    /// Returns the content of a tab over this screen: its stack.
    ///
    /// The stack stays while another tab is selected. A tab that was never shown is empty.
    @ViewBuilder
    public func content(of tab: Route) -> some View {
        let nodes = screens.navigator.state.branch(branch) ?? []
        if nodes.indices.contains(screen), let shown = nodes[screen].opener(of: tab) {
            WaymarkBranch(
                screens: screens,
                id: branch.tab(shown, over: screen),
                opener: shown,
                below: below + [nodes[screen].destination]
            )
        }
    }
}

/// The screens of an app, type-erased.
@MainActor
struct WaymarkScreens<Route: WaymarkRoute> {
    let navigator: WaymarkNavigator<Route>
    let screen: (Route, WaymarkPlace<Route>) -> AnyView
    let unrecognized: (UnrecognizedRoute) -> AnyView
}

/// One layer, with the layer presented over it.
struct WaymarkLayer<Route: WaymarkRoute>: View {
    let screens: WaymarkScreens<Route>
    let layer: Int

    var body: some View {
        let state = screens.navigator.state
        if state.layers.indices.contains(layer), let opener = state.layers[layer].first?.destination {
            WaymarkBranch(
                screens: screens,
                id: WaymarkBranchID(layer: layer),
                opener: opener,
                below: Array(state.stack.prefix(state.index(ofLayer: layer)))
            )
            .sheet(item: screens.navigator.layer(over: layer, as: .sheet)) { over($0) }
            .cover(item: screens.navigator.layer(over: layer, as: .cover)) { over($0) }
            .alert("", isPresented: screens.navigator.hasDialog(over: layer)) {
                WaymarkDialog(screens: screens, layer: layer + 1)
            }
        }
    }

    /// Returns the layer over this one, type-erased, because a view cannot contain its own type.
    private func over(_ id: WaymarkLayerID<Route>) -> AnyView {
        AnyView(WaymarkLayer(screens: screens, layer: id.layer))
    }
}

/// The actions of an alert or a dialog.
struct WaymarkDialog<Route: WaymarkRoute>: View {
    let screens: WaymarkScreens<Route>
    let layer: Int

    var body: some View {
        let state = screens.navigator.state
        if state.layers.indices.contains(layer), let opener = state.layers[layer].first?.destination {
            let place = WaymarkPlace(
                below: Array(state.stack.prefix(state.index(ofLayer: layer))),
                screens: screens,
                branch: WaymarkBranchID(layer: layer),
                screen: 0
            )
            place.view(of: opener)
        }
    }
}

/// One stack: its opener, with its pushes in a `NavigationStack`.
struct WaymarkBranch<Route: WaymarkRoute>: View {
    let screens: WaymarkScreens<Route>
    let id: WaymarkBranchID<Route>
    let opener: WaymarkDestination<Route>
    let below: [WaymarkDestination<Route>]

    var body: some View {
        NavigationStack(path: screens.navigator.path(of: id, openedAt: below.count)) {
            place(of: 0).view(of: opener)
                .navigationDestination(for: WaymarkPush<Route>.self) { place(of: $0.screen).view(of: $0.destination) }
        }
    }

    private func place(of screen: Int) -> WaymarkPlace<Route> {
        let lower = screens.navigator.state.branch(id)?.prefix(screen).map(\.destination) ?? []
        return WaymarkPlace(below: below + lower, screens: screens, branch: id, screen: screen)
    }
}

extension WaymarkPlace {
    fileprivate func view(of destination: WaymarkDestination<Route>) -> AnyView {
        switch destination.route {
        case .known(let route): screens.screen(route, self)
        case .unrecognized(let route): screens.unrecognized(route)
        }
    }
}

nonisolated extension NavigationNode {
    /// Returns the opener of a tab's stack: an equal one, or else one of the same route.
    ///
    /// Without other tabs it is the tab itself, and otherwise `nil`.
    fileprivate func opener(of tab: Route) -> WaymarkDestination<Route>? {
        let openers = tabs.compactMap(\.first?.destination)
        let opener = WaymarkDestination(tab, presentation: .tab)
        return openers.first { $0 == opener } ?? openers.first { $0.route.name == tab.name }
            ?? (openers.isEmpty ? opener : nil)
    }
}

// MARK: Layers

/// The way in which the system shows one layer over another.
nonisolated enum WaymarkLayerKind {
    case sheet, cover, dialog
}

nonisolated extension WaymarkPresentation {
    /// The way in which a layer is shown.
    ///
    /// Presentations of the app's own are sheets.
    fileprivate var layerKind: WaymarkLayerKind {
        switch self {
        case .fullScreenCover: .cover
        case .alert, .confirmationDialog: .dialog
        default: .sheet
        }
    }
}

extension View {
    /// Presents a cover, or a sheet on macOS, because macOS doesn't have covers.
    fileprivate func cover<Item: Identifiable>(
        item: Binding<Item?>,
        @ViewBuilder content: @escaping (Item) -> some View
    ) -> some View {
        #if os(macOS)
        sheet(item: item, content: content)
        #else
        fullScreenCover(item: item, content: content)
        #endif
    }
}

// MARK: Positions

/// A pushed screen in its stack.
nonisolated struct WaymarkPush<Route: WaymarkRoute>: Hashable {
    let screen: Int
    let destination: WaymarkDestination<Route>
}

/// The identity of a layer, different from the identity of its replacement.
nonisolated struct WaymarkLayerID<Route: WaymarkRoute>: Hashable, Identifiable {
    let layer: Int
    let opener: WaymarkDestination<Route>

    var id: Self { self }
}

/// The position of a stack in the tree: its layer, and the path of tabs to it.
nonisolated struct WaymarkBranchID<Route: WaymarkRoute>: Hashable {
    /// A tab over a screen of a stack.
    struct Tab: Hashable {
        let screen: Int
        let opener: WaymarkDestination<Route>
    }

    let layer: Int
    var tabs: [Tab] = []

    func tab(_ opener: WaymarkDestination<Route>, over screen: Int) -> Self {
        Self(layer: layer, tabs: tabs + [Tab(screen: screen, opener: opener)])
    }
}

nonisolated extension NavigationState {
    /// Returns a stack, or `nil` for a tab that was never shown.
    fileprivate func branch(_ id: WaymarkBranchID<Route>) -> NavigationBranch<Route>? {
        guard layers.indices.contains(id.layer) else { return nil }
        return id.tabs.reduce(layers[id.layer]) { branch, tab in
            guard let branch, branch.indices.contains(tab.screen) else { return nil }
            return branch[tab.screen].tabs.first { $0.first?.destination == tab.opener }
        }
    }

    /// Returns whether a stack is in the current path, because all its tabs are selected.
    fileprivate func shows(_ id: WaymarkBranchID<Route>) -> Bool {
        id.tabs.indices.allSatisfy { index in
            let parent = branch(WaymarkBranchID(layer: id.layer, tabs: Array(id.tabs[..<index])))
            guard let top = parent?.last, let selected = top.selected else { return false }
            return top.tabs[selected].first?.destination == id.tabs[index].opener
        }
    }
}

// MARK: Bindings

extension WaymarkNavigator {
    /// Returns the pushes of a stack, for a `NavigationStack`.
    ///
    /// The pushes of a tab that is not selected stay as they are.
    fileprivate func path(of id: WaymarkBranchID<Route>, openedAt index: Int) -> Binding<[WaymarkPush<Route>]> {
        let pushes = { @MainActor in
            (self.state.branch(id) ?? []).enumerated().dropFirst()
                .map { WaymarkPush(screen: $0.offset, destination: $0.element.destination) }
        }
        return Binding(
            get: pushes,
            set: { changed in
                guard self.state.shows(id), changed != pushes() else { return }
                self.setPath(of: index, to: changed.map(\.destination))
            }
        )
    }

    /// Returns the layer over another, if it is of a kind, for `sheet(item:)` and similar modifiers.
    fileprivate func layer(
        over layer: Int,
        as kind: WaymarkLayerKind
    ) -> Binding<WaymarkLayerID<Route>?> {
        let shown = { @MainActor () -> WaymarkLayerID<Route>? in
            let layers = self.state.layers.dropFirst(layer + 1)
            guard let opener = layers.first?.first?.destination, kind == opener.presentation.layerKind else {
                return nil
            }
            return WaymarkLayerID(layer: layer + 1, opener: opener)
        }
        return Binding(
            get: shown,
            set: { replacement in
                guard replacement == nil, shown() != nil else { return }
                self.dismiss(to: self.state.index(ofLayer: layer + 1))
            }
        )
    }

    /// Returns whether the layer over another is an alert or a dialog.
    fileprivate func hasDialog(over layer: Int) -> Binding<Bool> {
        let item = self.layer(over: layer, as: .dialog)
        return Binding(get: { item.wrappedValue != nil }, set: { if !$0 { item.wrappedValue = nil } })
    }
}
#endif
