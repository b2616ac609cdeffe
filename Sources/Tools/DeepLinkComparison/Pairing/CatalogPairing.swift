import DeepLinkClientCode
import DeepLinkCore

/// Two catalogs with their routes and edges paired.
struct CatalogPairing: Sendable {
    let old: RouteCatalog
    let new: RouteCatalog

    /// The new names of renamed routes with the same edges, by their old names.
    let renamed: [ByteText: ByteText]

    /// The apps of both catalogs.
    let apps: AppPairing

    /// The types with which published apps read plans.
    let types: GeneratedTypes

    /// The names of the old catalog's edges.
    ///
    /// A shared edge has this name for both catalogs.
    let oldEdges: EdgeNames
    let newEdges: EdgeNames

    /// For each edge of the old catalog, the same edge in the new one.
    private let inNew: [Int?]

    /// For each edge of the new catalog, the same edge in the old one.
    private let inOld: [Int?]

    /// For each route of the old catalog, the same route in the new one.
    let inNewRoutes: [Int?]

    /// For each route of the new catalog, the same route in the old one.
    let inOldRoutes: [Int?]

    /// For each route of the old catalog, its first edge from `entry` or from a route that the new catalog has too.
    let openers: [Int?]

    init(
        _ old: RouteCatalog,
        _ new: RouteCatalog,
        interruption: Interruption = .never
    ) throws(Interruption.Stop) {
        self.old = old
        self.new = new
        let renamed = RenamedRoutes.find(old, new)
        self.renamed = renamed
        try interruption.check()
        apps = AppPairing(old.apps, new.apps)
        types = GeneratedTypes(old)
        oldEdges = EdgeNames(old)
        newEdges = EdgeNames(new)
        var inNew = [Int?](repeating: nil, count: old.edges.count)
        var inOld = [Int?](repeating: nil, count: new.edges.count)
        let newLists = newEdges.lists
        for (ends, list) in oldEdges.lists {
            try interruption.check()
            let others = newLists[ends.renamed(by: renamed)] ?? []
            for (edge, other) in Self.pairs(list, others: others, old: old, new: new) {
                inNew[edge] = other
                inOld[other] = edge
            }
        }
        self.inNew = inNew
        self.inOld = inOld
        let places = Dictionary(
            new.routes.enumerated().map { ($0.element.name.bytewise, $0.offset) },
            uniquingKeysWith: { one, _ in one }
        )
        inNewRoutes = old.routes.map { places[renamed[$0.name.bytewise] ?? $0.name.bytewise] }
        var inOldRoutes = [Int?](repeating: nil, count: new.routes.count)
        for (index, place) in inNewRoutes.enumerated() {
            if let place { inOldRoutes[place] = index }
        }
        self.inOldRoutes = inOldRoutes
        var openers = [Int?](repeating: nil, count: old.routes.count)
        for (index, edge) in old.edges.enumerated() where openers[edge.child] == nil {
            if edge.parent == old.routes.count || inNewRoutes[edge.parent] != nil { openers[edge.child] = index }
        }
        self.openers = openers
    }

    /// Pairs the edges of two lists: equal edges first, then by equal address, by equal presentation, and by order.
    ///
    /// - Complexity: linear in the edges.
    private static func pairs(
        _ list: [Int],
        others: [Int],
        old: RouteCatalog,
        new: RouteCatalog
    ) -> [(Int, Int)] {
        guard list.count > 1 || others.count > 1 else { return others.isEmpty ? [] : [(list[0], others[0])] }
        return
            SimilarityMatching.pairs(
                of: list.map { old.edges[$0] },
                and: others.map { new.edges[$0] },
                by: [
                    { [$0.address, $0.presentation, $0.parameters, $0.aliases, $0.requirements, $0.isLinkable] },
                    { [$0.address, $0.presentation] }, { [$0.address] }, { [$0.presentation] }, { _ in [] },
                ]
            )
            .map { (list[$0.index], others[$0.other]) }
    }

    /// Reads a link as a server of either catalog does, or returns `nil` for a text that neither accepts as a link.
    func link(_ bytes: [UInt8]) -> DeepLink? {
        (try? DeepLink(bytes: bytes, rootless: old.rootlessSchemes))
            ?? (try? DeepLink(bytes: bytes, rootless: new.rootlessSchemes))
    }

    /// Returns the edge of the new catalog that is paired with an edge of the old one.
    func inNew(_ edge: Int) -> Int? { inNew[edge] }

    /// Returns the edge of the old catalog that is paired with an edge of the new one.
    func inOld(_ edge: Int) -> Int? { inOld[edge] }

    /// Returns the name of an edge of the new catalog in reports: the name of the paired old edge, or else its own.
    func subject(ofNew edge: Int) -> ByteText { inOld[edge].map { oldEdges.names[$0] } ?? newEdges.names[edge] }

    /// Returns the users to check, by their levels in both catalogs: users with some levels of a catalog, or all.
    func users(named names: [LevelName]?) -> [LevelPair] {
        let pairs = old.levels.pairs(with: new.levels)
        guard let names else { return pairs }
        let levels = (
            old: names.compactMap(old.levels.level(stored:)), new: names.compactMap(new.levels.level(stored:))
        )
        return pairs.filter { levels.old.contains($0.old) || levels.new.contains($0.new) }
    }

    /// Returns a stack of the old catalog with the route names of the new one.
    func renaming(_ stack: [Destination]) -> [Destination] {
        guard !renamed.isEmpty else { return stack }
        return stack.map { destination in
            guard let name = renamed[destination.route.bytewise] else { return destination }
            return Destination(
                route: name.string,
                presentation: destination.presentation,
                parameters: destination.parameters
            )
        }
    }
}

/// The edges of a catalog by name: `parent > route`, with a number from the second of a list onwards.
struct EdgeNames: Sendable {
    /// The names of the routes at both ends of an edge.
    struct Ends: Hashable {
        /// The parent, or `nil` for `entry`.
        let parent: ByteText?
        let child: ByteText

        func renamed(by names: [ByteText: ByteText]) -> Ends {
            Ends(parent: parent.map { names[$0] ?? $0 }, child: names[child] ?? child)
        }
    }

    /// The name of each edge.
    let names: [ByteText]

    /// The edges between two routes, in the order of declaration.
    let lists: [Ends: [Int]]

    init(_ catalog: RouteCatalog) {
        var lists: [Ends: [Int]] = [:]
        names = catalog.edges.enumerated()
            .map { index, edge in
                let parent = edge.parent < catalog.routes.count ? catalog.routes[edge.parent].name : nil
                let child = catalog.routes[edge.child].name
                let ends = Ends(parent: parent?.bytewise, child: child.bytewise)
                lists[ends, default: []].append(index)
                let number = lists[ends]?.count ?? 1
                return "\(parent ?? "entry") > \(child)\(number > 1 ? " (\(number))" : "")".bytewise
            }
        self.lists = lists
    }
}

/// The pairing of the items of two lists, most similar first.
enum SimilarityMatching {
    /// Pairs the items of two lists by each criterion in turn.
    ///
    /// Equally similar items are paired in their order.
    ///
    /// - Parameters:
    ///   - list: the items of one list.
    ///   - others: the items of the other list.
    ///   - likenesses: the properties that two items must have in common, strictest first.
    /// - Returns: the indices of the items of each pair.
    /// - Complexity: linear in the items.
    static func pairs<Item>(
        of list: [Item],
        and others: [Item],
        by likenesses: [(Item) -> [AnyHashable]]
    ) -> [(index: Int, other: Int)] {
        var pairs: [(index: Int, other: Int)] = []
        var (left, free) = (Array(list.indices), Array(others.indices))
        for likeness in likenesses {
            // The unpaired items of each likeness, in reverse order.
            var alike: [[AnyHashable]: [Int]] = [:]
            for other in free.reversed() { alike[likeness(others[other]), default: []].append(other) }
            var paired: Set<Int> = []
            left.removeAll { index in
                guard let other = alike[likeness(list[index])]?.popLast() else { return false }
                pairs.append((index, other))
                paired.insert(other)
                return true
            }
            free.removeAll(where: paired.contains)
            guard !left.isEmpty, !free.isEmpty else { break }
        }
        return pairs
    }
}

extension Sequence {
    /// Returns the elements in groups, in the order of the first element of each group.
    ///
    /// An element without a key is a group of its own.
    func grouped<Key: Hashable>(by key: (Element) -> Key?) -> [[Element]] {
        var groups: [[Element]] = []
        var places: [Key: Int] = [:]
        for element in self {
            let key = key(element)
            if let place = key.flatMap({ places[$0] }) {
                groups[place].append(element)
            } else {
                if let key { places[key] = groups.count }
                groups.append([element])
            }
        }
        return groups
    }
}
