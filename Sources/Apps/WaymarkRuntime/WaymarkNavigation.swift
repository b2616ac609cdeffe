// Waymark's runtime: the tree of screens that an app shows, and its changes by links, by the app's own buttons and by
// the system. Standard library only.

/// One change of the screen.
///
/// Indexes refer to the flat path.
public nonisolated enum NavigationStep<Route: WaymarkRoute>: Hashable, Sendable {
    /// Replaces everything with this destination.
    case setRoot(WaymarkDestination<Route>)

    /// Selects this tab at an index, in place of the current one.
    ///
    /// A tab that was shown before gets its stack back.
    case selectTab(at: Int, WaymarkDestination<Route>)

    /// Shows these pushes over the opener at an index.
    case setPath(of: Int, [WaymarkDestination<Route>])

    /// Presents this destination over everything, in its own layer.
    case present(WaymarkDestination<Route>)

    /// Dismisses the destination at an index and everything over it.
    ///
    /// A tab keeps its stack, and is no longer selected.
    case dismissLayer(at: Int)
}

/// The error for a stack that differs from the start of the transition, because the user navigated in the meantime.
public nonisolated struct TransitionMismatch: Error, Hashable {
    /// The number of destinations at the start of the transition.
    public let expectedCount: Int

    /// The actual number of destinations.
    public let actualCount: Int
}

/// The screens that an app shows, as layers over each other.
///
/// Each layer is a stack, and its top screen may have tabs with their own stacks. Links, the app's own buttons and the
/// gestures of the system change the state by the same operations.
public nonisolated struct NavigationState<Route: WaymarkRoute>: Hashable, Sendable {
    /// The layers, lowest first.
    ///
    /// All layers after the first are presented.
    public internal(set) var layers: [NavigationBranch<Route>] = []

    /// Creates a state with a stack.
    public init(stack: [WaymarkDestination<Route>] = []) {
        for destination in stack { layers.add(destination) }
    }

    /// The flat path: the destinations on screen, from the root to the top.
    public var stack: [WaymarkDestination<Route>] { layers.flatMap(\.path) }

    /// The stack to send with the next link.
    public var from: [WaymarkDestination<Route>] { stack }

    // MARK: The app's own operations

    /// Pushes a destination onto the top one.
    public mutating func push(_ destination: WaymarkDestination<Route>) {
        present(destination.presented(as: .push))
    }

    /// Presents a destination by its presentation: over everything in its own layer, as a push, as a tab, or as a new
    /// root.
    public mutating func present(_ destination: WaymarkDestination<Route>) {
        switch destination.presentation {
        case .root: self = NavigationState(stack: [destination])
        case .tab: select(destination)
        default: layers.add(destination)
        }
    }

    /// Selects a tab.
    ///
    /// If it was shown before, its stack is restored.
    ///
    /// - Parameters:
    ///   - tab: the destination of the tab.
    ///   - index: the index of the tabs in the flat path, one above the destination that has them. The default, `nil`,
    ///     means the innermost tabs that include this route, or else the innermost tabs, or else new tabs over the top
    ///     destination.
    public mutating func select(_ tab: WaymarkDestination<Route>, at index: Int? = nil) {
        select(tab.presented(as: .tab), at: index ?? indexOfTabs(with: tab), isUsersChoice: true)
    }

    /// Dismisses the top destination.
    ///
    /// A tab is dismissed together with the destination that has the tabs. The lowest destination always stays.
    public mutating func dismiss() {
        let stack = stack
        var count = stack.count - 1
        while count > 0, stack[count].presentation == .tab { count -= 1 }
        if count > 0 { dismiss(to: count) }
    }

    /// Dismisses all destinations of the flat path after the first `count`.
    public mutating func dismiss(to count: Int) {
        guard count >= 0, count < stack.count else { return }
        layers.cut(to: count)
    }

    /// Sets the pushes over the opener at an index of the flat path, as reported by the system's navigation stacks.
    public mutating func setPath(of index: Int, to pushes: [WaymarkDestination<Route>]) {
        let stack = stack
        guard stack.indices.contains(index) else { return }
        let common = zip(pushes, stack.dropFirst(index + 1)).prefix { $0 == $1 && $0.presentation == .push }.count
        layers.cut(to: index + 1 + common)
        for destination in pushes.dropFirst(common) { layers.push(destination) }
    }

    /// Returns the tabs at an index of the flat path, over the destination below.
    public func tabs(at index: Int) -> [NavigationBranch<Route>] {
        var layers = layers
        layers.cut(to: index)
        guard var branch = layers.last else { return [] }
        while let tab = branch.selectedTab { branch = tab }
        return branch.last?.tabs ?? []
    }

    /// Returns the index in the flat path of the opener of a layer, or of the next new layer.
    public func index(ofLayer layer: Int) -> Int { layers.prefix(layer).reduce(0) { $0 + $1.path.count } }

    // MARK: Links

    /// Applies a plan, and returns the changes of the screen in order.
    ///
    /// A plan without a transition, for a request without a stack, applies to any stack.
    ///
    /// - Throws: ``TransitionMismatch`` if the stack differs from the one that was sent. Nothing is changed in that
    ///   case. Resolve the link again with the current stack, or show the plan's stack.
    public mutating func apply(_ plan: RoutePlan<Route>) throws(TransitionMismatch) -> [NavigationStep<Route>] {
        let steps = try steps(to: plan)
        for step in steps { perform(step) }
        return steps
    }

    /// Applies a transition, and returns the changes of the screen in order.
    ///
    /// - Throws: ``TransitionMismatch`` if the number of destinations differs from the stack that was sent. Nothing is
    ///   changed in that case.
    public mutating func apply(_ transition: WaymarkTransition<Route>) throws(TransitionMismatch) -> [NavigationStep<
        Route
    >] {
        let steps = try steps(for: transition)
        for step in steps { perform(step) }
        return steps
    }

    /// Shows a stack.
    ///
    /// The destinations in common with the current stack stay, and so do the stacks of all other tabs.
    public mutating func show(_ stack: [WaymarkDestination<Route>]) {
        while let step = step(to: stack) { perform(step) }
    }

    /// Returns the changes of the screen for a plan, without applying them.
    public func steps(to plan: RoutePlan<Route>) throws(TransitionMismatch) -> [NavigationStep<Route>] {
        guard let transition = plan.transition else { return steps(to: plan.stack) }
        let steps = try steps(for: transition)
        let kept = zip(stack.prefix(transition.keep), plan.stack)
        guard transition.keep + transition.present.count == plan.stack.count,
            kept.allSatisfy({ $0.route.name == $1.route.name && $0.presentation == $1.presentation })
        else {
            throw TransitionMismatch(expectedCount: transition.keep + transition.dismiss, actualCount: stack.count)
        }
        return steps
    }

    /// Returns the changes of the screen for a transition, without applying them.
    public func steps(for transition: WaymarkTransition<Route>) throws(TransitionMismatch) -> [NavigationStep<Route>] {
        let (keep, dismiss, stack) = (transition.keep, transition.dismiss, stack)
        guard keep >= 0, dismiss >= 0, keep <= stack.count, stack.count - keep == dismiss else {
            throw TransitionMismatch(expectedCount: keep + dismiss, actualCount: stack.count)
        }
        return steps(to: Array(stack[..<keep]) + transition.present)
    }

    /// Returns the changes of the screen to a stack.
    ///
    /// The common destinations from the root onwards stay.
    public func steps(to target: [WaymarkDestination<Route>]) -> [NavigationStep<Route>] {
        var steps: [NavigationStep<Route>] = []
        var state = self
        while let step = state.step(to: target) {
            steps.append(step)
            state.perform(step)
        }
        return steps
    }

    /// Applies one change.
    ///
    /// A change that doesn't fit the stack has no effect.
    public mutating func perform(_ step: NavigationStep<Route>) {
        switch step {
        case .setRoot(let destination): layers = [[NavigationNode(destination)]]
        case .selectTab(let index, let destination): select(destination, at: index, isUsersChoice: false)
        case .setPath(let index, let pushes): setPath(of: index, to: pushes)
        case .present(let destination): layers.append([NavigationNode(destination)])
        case .dismissLayer(let index): dismiss(to: index)
        }
    }

    private mutating func select(_ tab: WaymarkDestination<Route>, at index: Int, isUsersChoice: Bool) {
        guard index >= 0, index <= stack.count else { return }
        layers.cut(to: index)
        if layers.isEmpty {
            layers = [[NavigationNode(tab)]]
        } else {
            layers.select(tab, isUsersChoice: isUsersChoice)
        }
    }

    private func indexOfTabs(with tab: WaymarkDestination<Route>) -> Int {
        let stack = stack
        var indexes = stack.indices.filter { $0 > 0 && stack[$0].presentation == .tab }
        if !tabs(at: stack.count).isEmpty { indexes.append(stack.count) }
        let fitting = indexes.last { index in
            tabs(at: index).contains { $0.first?.destination.route.name == tab.route.name }
        }
        return fitting ?? indexes.last ?? stack.count
    }

    /// Returns the next change of the screen towards a stack, or `nil` if the stack is shown.
    private func step(to target: [WaymarkDestination<Route>]) -> NavigationStep<Route>? {
        let stack = stack
        let keep = zip(stack, target).prefix { $0 == $1 }.count
        // Layers over the kept part are dismissed first, from the top down. Tabs go with their parent layer.
        if let index = stack.indices.last(where: { $0 >= max(keep, 1) && stack[$0].beginsLayer }) {
            return .dismissLayer(at: index)
        }
        let shown = keep < stack.count ? stack[keep] : nil
        let next = keep < target.count ? target[keep] : nil
        guard let first = shown ?? next else { return nil }
        if let next, keep == 0 { return .setRoot(next) }
        if keep > 0, first.presentation == .push {
            let opener = stack[..<keep].lastIndex { $0.presentation != .push } ?? 0
            return .setPath(
                of: opener,
                stack[(opener + 1)..<keep] + target[keep...].prefix { $0.presentation == .push }
            )
        }
        if let next, next.presentation == .tab { return .selectTab(at: keep, next) }
        if shown == nil, let next { return .present(next) }
        return .dismissLayer(at: keep)
    }
}

nonisolated extension NavigationState: Codable {
    private enum CodingKeys: String, CodingKey { case layers }

    /// Reads a saved state, including one saved by an older version of the app.
    public init(from decoder: any Decoder) throws {
        layers = try decoder.container(keyedBy: CodingKeys.self).decode([NavigationBranch<Route>].self, forKey: .layers)
        guard layers.allSatisfy({ NavigationNode<Route>.isSound($0) }) else {
            throw DecodingError.dataCorruptedError(
                forKey: CodingKeys.layers,
                in: try decoder.container(keyedBy: CodingKeys.self),
                debugDescription: "A stack is empty, or selects a tab that is not there."
            )
        }
    }
}
