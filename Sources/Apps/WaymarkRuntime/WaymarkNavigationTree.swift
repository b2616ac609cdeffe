// Waymark's runtime: the tree of screens that an app shows, and how it is cut, extended and saved. Standard library only.

/// One destination, with the tabs that were shown over it.
public nonisolated struct NavigationNode<Route: WaymarkRoute>: Hashable, Sendable {
    /// The destination that the node shows.
    public let destination: WaymarkDestination<Route>

    /// The tabs, each with its own stack, in the order in which they were first selected.
    public internal(set) var tabs: [NavigationBranch<Route>]

    /// The index of the selected tab.
    ///
    /// It is `nil` if no tab is selected, and for every node that is not at the top of its branch.
    public internal(set) var selected: Int?

    /// Creates a node without tabs.
    public init(_ destination: WaymarkDestination<Route>) {
        self.destination = destination
        tabs = []
    }
}

/// A stack of screens: its opener, and the destinations pushed onto it.
///
/// It is never empty.
public typealias NavigationBranch<Route: WaymarkRoute> = [NavigationNode<Route>]

nonisolated extension WaymarkDestination {
    /// Whether the destination begins a new layer.
    var beginsLayer: Bool { presentation != .push && presentation != .tab }
}

// MARK: Branches

/// A stack of screens, as `NavigationBranch` of any route, because a constraint of an extension cannot name the route
/// otherwise.
nonisolated protocol NavigationScreen {
    associatedtype Route: WaymarkRoute
    var destination: WaymarkDestination<Route> { get }
    var tabs: [[Self]] { get set }
    var selected: Int? { get set }
    init(_ destination: WaymarkDestination<Route>)
}

nonisolated extension NavigationNode: NavigationScreen {}

nonisolated extension Array where Element: NavigationScreen {
    /// The stack of the selected tab over the top screen, or `nil` if none is selected.
    var selectedTab: [Element]? {
        guard let top = last, let selected = top.selected, top.tabs.indices.contains(selected) else { return nil }
        return top.tabs[selected]
    }

    /// The destinations from the opener to the top of the selected tab.
    var path: [WaymarkDestination<Element.Route>] { map(\.destination) + (selectedTab?.path ?? []) }

    mutating func changeTop(_ change: (inout Element) -> Void) {
        guard var top = popLast() else { return }
        change(&top)
        append(top)
    }

    mutating func changeSelectedTab(_ change: (inout [Element]) -> Void) {
        changeTop { top in
            guard let selected = top.selected, top.tabs.indices.contains(selected) else { return }
            change(&top.tabs[selected])
        }
    }

    /// Removes all destinations of the path after the first `length`.
    ///
    /// At least one destination stays.
    mutating func cut(to length: Int) {
        guard length <= count else { return changeSelectedTab { [count] in $0.cut(to: length - count) } }
        removeLast(count - length)
        changeTop { $0.selected = nil }
    }

    /// Pushes a destination onto the top of the path.
    mutating func push(_ destination: WaymarkDestination<Element.Route>) {
        if selectedTab == nil {
            append(Element(destination))
        } else {
            changeSelectedTab { $0.push(destination) }
        }
    }

    /// Selects a tab over the top of the path.
    ///
    /// An equal tab gets its stack back. A tab of the same route with other parameters is replaced or, if the user
    /// selects it, kept as it is.
    mutating func select(_ tab: WaymarkDestination<Element.Route>, isUsersChoice: Bool) {
        guard selectedTab == nil else {
            return changeSelectedTab { $0.select(tab, isUsersChoice: isUsersChoice) }
        }
        changeTop { top in
            let openers = top.tabs.map(\.first?.destination)
            if let equal = openers.firstIndex(of: tab) {
                top.selected = equal
            } else if let alike = openers.firstIndex(where: { $0?.route.name == tab.route.name }) {
                if !isUsersChoice { top.tabs[alike] = [Element(tab)] }
                top.selected = alike
            } else {
                top.tabs.append([Element(tab)])
                top.selected = top.tabs.count - 1
            }
        }
    }
}

// MARK: Layers

nonisolated extension Array {
    /// Removes all destinations of the flat path after the first `length`.
    mutating func cut<Node: NavigationScreen>(to length: Int) where Element == [Node] {
        var left = length
        var kept: [Element] = []
        for var layer in self {
            guard left > 0 else { break }
            let size = layer.path.count
            if left < size { layer.cut(to: left) }
            kept.append(layer)
            left -= size
        }
        self = kept
    }

    mutating func changeTop<Node: NavigationScreen>(_ change: (inout Element) -> Void) where Element == [Node] {
        guard var top = popLast() else { return }
        change(&top)
        append(top)
    }

    /// Pushes a destination in the top layer.
    mutating func push<Node: NavigationScreen>(_ destination: WaymarkDestination<Node.Route>)
    where Element == [Node] {
        changeTop { $0.push(destination) }
    }

    /// Selects a tab in the top layer.
    mutating func select<Node: NavigationScreen>(_ tab: WaymarkDestination<Node.Route>, isUsersChoice: Bool)
    where Element == [Node] {
        changeTop { $0.select(tab, isUsersChoice: isUsersChoice) }
    }

    /// Adds a destination over the top one, by its presentation.
    mutating func add<Node: NavigationScreen>(_ destination: WaymarkDestination<Node.Route>)
    where Element == [Node] {
        if isEmpty || destination.beginsLayer {
            append([Node(destination)])
        } else if destination.presentation == .push {
            push(destination)
        } else {
            select(destination, isUsersChoice: false)
        }
    }
}

// MARK: Saving

nonisolated extension NavigationNode: Codable {
    private enum CodingKeys: String, CodingKey { case tabs, selected }

    /// Reads a saved node.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        destination = try WaymarkDestination(from: decoder)
        tabs = try container.decodeIfPresent([NavigationBranch<Route>].self, forKey: .tabs) ?? []
        selected = try container.decodeIfPresent(Int.self, forKey: .selected)
    }

    /// Writes the members of the destination, and the tabs.
    public func encode(to encoder: any Encoder) throws {
        try destination.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        if !tabs.isEmpty { try container.encode(tabs, forKey: .tabs) }
        try container.encodeIfPresent(selected, forKey: .selected)
    }

    /// Returns whether a branch has a screen, and selects a tab only at its top, one that exists.
    static func isSound(_ branch: NavigationBranch<Route>) -> Bool {
        branch.dropLast().allSatisfy { $0.selected == nil }
            && branch.last.map { top in top.selected.map { top.tabs.indices.contains($0) } ?? true } == true
            && branch.allSatisfy { $0.tabs.allSatisfy(isSound) }
    }
}
