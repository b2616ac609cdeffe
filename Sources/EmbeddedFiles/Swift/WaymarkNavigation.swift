// Waymark's runtime: the stack that an app shows, and its changes step by step. Standard library only.

/// One screen hierarchy of a stack: its opener, and the destinations pushed onto it.
///
/// A root, a tab, a sheet, a cover and every other presentation begin a layer; a push continues it.
public nonisolated struct Layer<Route: WaymarkRoute>: Hashable, Sendable, Identifiable {
    /// The identity of a layer in its stack, different from that of a replacement.
    public struct ID: Hashable, Sendable {
        /// The index of the opener in the stack.
        public let index: Int

        /// The destination that opened the layer.
        public let opener: Destination<Route>
    }

    /// The identity.
    public let id: ID

    /// The destinations pushed onto the opener.
    public let pushes: [Destination<Route>]

    /// The destination that opened the layer.
    public var opener: Destination<Route> { id.opener }

    /// The index of the opener in the stack.
    public var index: Int { id.index }
}

/// One change of the screen.
public nonisolated enum NavigationStep<Route: WaymarkRoute>: Hashable, Sendable {
    /// Replaces everything with this destination.
    case setRoot(Destination<Route>)

    /// Shows this tab at an index of the stack, in place of the current one.
    case selectTab(at: Int, Destination<Route>)

    /// Shows these pushes over the opener at an index of the stack.
    case setPath(of: Int, [Destination<Route>])

    /// Presents this destination over the top.
    case present(Destination<Route>)

    /// Dismisses the layer that begins at an index of the stack, and everything over it.
    case dismissLayer(at: Int)
}

/// The error of a stack that isn't the one at which the transition begins: the user navigated in the meantime.
public nonisolated struct TransitionMismatch: Error, Hashable {
    /// The number of destinations at which the transition begins.
    public let expectedCount: Int

    /// The actual number of destinations.
    public let actualCount: Int
}

/// The stack that an app shows.
public nonisolated struct NavigationState<Route: WaymarkRoute>: Hashable, Sendable {
    /// The destinations, root first.
    public private(set) var stack: [Destination<Route>]

    /// Creates a state with a stack.
    public init(stack: [Destination<Route>] = []) { self.stack = stack }

    /// The stack to send with the next link.
    public var from: [Destination<Route>] { stack }

    /// The stack in layers, lowest first.
    public var layers: [Layer<Route>] {
        let openers = stack.indices.filter(beginsLayer)
        return openers.enumerated()
            .map { order, index in
                let end = order + 1 < openers.count ? openers[order + 1] : stack.count
                return Layer(id: Layer.ID(index: index, opener: stack[index]), pushes: Array(stack[index + 1..<end]))
            }
    }

    /// Returns the layer directly over another; `nil` if there is none, or not that one.
    public func layer(over id: Layer<Route>.ID) -> Layer<Route>? {
        let layers = layers
        guard let below = layers.firstIndex(where: { $0.id == id }), below + 1 < layers.count else { return nil }
        return layers[below + 1]
    }

    /// Applies a plan, and returns the changes of the screen in order.
    ///
    /// A plan without a transition, whose request sent no stack, applies to any stack.
    ///
    /// - Throws: ``TransitionMismatch`` if the stack isn't the one that was sent; then nothing changes. Resolve the
    ///   link again with the current stack.
    public mutating func apply(_ plan: RoutePlan<Route>) throws(TransitionMismatch) -> [NavigationStep<Route>] {
        let steps = try steps(to: plan)
        for step in steps { perform(step) }
        return steps
    }

    /// Applies a transition, and returns the changes of the screen in order.
    ///
    /// - Throws: ``TransitionMismatch`` if the stack isn't as high as the one that was sent; then nothing changes.
    public mutating func apply(_ transition: Transition<Route>) throws(TransitionMismatch) -> [NavigationStep<Route>] {
        let steps = try steps(for: transition)
        for step in steps { perform(step) }
        return steps
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

    /// Returns the changes of the screen to a stack; the common destinations from the root onwards stay.
    public func steps(to target: [Destination<Route>]) -> [NavigationStep<Route>] {
        steps(keeping: zip(stack, target).prefix { $0 == $1 }.count, to: target)
    }

    /// Returns the changes of the screen for a transition, without applying them.
    public func steps(for transition: Transition<Route>) throws(TransitionMismatch) -> [NavigationStep<Route>] {
        let (keep, dismiss) = (transition.keep, transition.dismiss)
        guard keep >= 0, dismiss >= 0, keep <= stack.count, stack.count - keep == dismiss else {
            throw TransitionMismatch(expectedCount: keep + dismiss, actualCount: stack.count)
        }
        return steps(keeping: keep, to: Array(stack[..<keep]) + transition.present)
    }

    /// Applies one change; a change that doesn't fit the stack has no effect.
    public mutating func perform(_ step: NavigationStep<Route>) {
        switch step {
        case .setRoot(let destination): stack = [destination]
        case .selectTab(let index, let destination) where index <= stack.count:
            stack = stack[..<index] + [destination]
        case .setPath(let index, let pushes) where index < stack.count: stack = stack[...index] + pushes
        case .present(let destination): stack.append(destination)
        case .dismissLayer(let index): userDismissed(to: index)
        case .selectTab, .setPath: break
        }
    }

    /// Updates the state after the user went back, or closed a layer, down to a number of destinations.
    public mutating func userDismissed(to count: Int) {
        guard count >= 0, count < stack.count else { return }
        stack.removeSubrange(count...)
    }

    /// Updates the state after the user pushed or popped in the layer whose opener is at an index.
    public mutating func userChangedPath(of index: Int, to pushes: [Destination<Route>]) {
        perform(.setPath(of: index, pushes))
    }

    // MARK: Steps

    private func beginsLayer(_ index: Int) -> Bool { index == 0 || stack[index].presentation != .push }

    private func steps(keeping keep: Int, to target: [Destination<Route>]) -> [NavigationStep<Route>] {
        var steps: [NavigationStep<Route>] = []
        var state = self
        func add(_ step: NavigationStep<Route>) {
            steps.append(step)
            state.perform(step)
        }
        // Layers over the kept part are dismissed first, from the top down; tabs go with their parent layer.
        for index in stack.indices.reversed() where index >= max(keep, 1) {
            guard stack[index].presentation != .push, stack[index].presentation != .tab else { continue }
            add(.dismissLayer(at: index))
        }
        if keep == 0, let root = target.first {
            add(.setRoot(root))
        } else if state.stack.count > keep {
            if keep > 0, state.stack[keep].presentation == .push {
                add(.setPath(of: state.opener(below: keep), state.path(to: keep, in: target)))
            } else if target.indices.contains(keep), target[keep].presentation == .tab {
                add(.selectTab(at: keep, target[keep]))
            } else {
                add(.dismissLayer(at: keep))
            }
        }
        while state.stack.count < target.count {
            let index = state.stack.count
            switch target[index].presentation {
            case .tab: add(.selectTab(at: index, target[index]))
            case .push: add(.setPath(of: state.opener(below: index), state.path(to: index, in: target)))
            default: add(.present(target[index]))
            }
        }
        return steps
    }

    /// Returns the index of the opener of the layer that contains the destination below an index.
    private func opener(below index: Int) -> Int { stack.indices[..<index].last(where: beginsLayer) ?? 0 }

    /// Returns the pushes of the layer below an index: those that stay, and those of the target from there on.
    private func path(to index: Int, in target: [Destination<Route>]) -> [Destination<Route>] {
        stack[(opener(below: index) + 1)..<index] + target[index...].prefix { $0.presentation == .push }
    }
}
