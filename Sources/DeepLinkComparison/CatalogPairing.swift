import DeepLinkCore

/// Two catalogs, with the routes and edges of one that are those of the other.
struct CatalogPairing: Sendable {
    let old: RouteCatalog
    let new: RouteCatalog

    /// The new names of routes that have the same edges under another name, by the old ones.
    let renamed: [ByteText: ByteText]

    /// The edges, by names that both catalogs share where they share the edge.
    let oldEdges: EdgeNames
    let newEdges: EdgeNames

    /// For each edge of the old catalog, the same one in the new.
    private let inNew: [Int?]

    /// For each edge of the new catalog, the same one in the old.
    private let inOld: [Int?]

    init(_ old: RouteCatalog, _ new: RouteCatalog) {
        self.old = old
        self.new = new
        let renamed = RenamedRoutes.find(old, new)
        self.renamed = renamed
        oldEdges = EdgeNames(old)
        newEdges = EdgeNames(new)
        var inNew = [Int?](repeating: nil, count: old.edges.count)
        var inOld = [Int?](repeating: nil, count: new.edges.count)
        let newLists = newEdges.lists
        for (ends, list) in oldEdges.lists {
            let others = newLists[ends.renamed(by: renamed)] ?? []
            for (edge, other) in Self.pairs(list, others, old, new) {
                inNew[edge] = other
                inOld[other] = edge
            }
        }
        self.inNew = inNew
        self.inOld = inOld
    }

    /// Pairs the edges of two lists: those that are equal, then of one address, then of one presentation, then in order.
    private static func pairs(
        _ list: [Int],
        _ others: [Int],
        _ old: RouteCatalog,
        _ new: RouteCatalog
    ) -> [(Int, Int)] {
        let likenesses: [(Edge, Edge) -> Bool] = [
            { isSame($0, $1) }, { $0.address == $1.address && $0.presentation == $1.presentation },
            { $0.address == $1.address }, { $0.presentation == $1.presentation }, { _, _ in true },
        ]
        var (list, others) = (list, others)
        var pairs: [(Int, Int)] = []
        for isAlike in likenesses {
            for edge in list {
                guard let place = others.firstIndex(where: { isAlike(old.edges[edge], new.edges[$0]) }) else {
                    continue
                }
                pairs.append((edge, others.remove(at: place)))
                list.removeAll { $0 == edge }
            }
        }
        return pairs
    }

    private static func isSame(_ edge: Edge, _ other: Edge) -> Bool {
        edge.address == other.address && edge.presentation == other.presentation
            && edge.parameters == other.parameters && edge.aliases == other.aliases
            && edge.requirements == other.requirements && edge.isLinkable == other.isLinkable
    }

    /// Reads a link as a server of either catalog does; `nil` for a text that is a link to neither.
    func link(_ bytes: [UInt8]) -> DeepLink? {
        (try? DeepLink(bytes: bytes, rootless: old.rootlessSchemes))
            ?? (try? DeepLink(bytes: bytes, rootless: new.rootlessSchemes))
    }

    /// The edge of the new catalog that an edge of the old one is.
    func inNew(_ edge: Int) -> Int? { inNew[edge] }

    /// The edge of the old catalog that an edge of the new one is.
    func inOld(_ edge: Int) -> Int? { inOld[edge] }

    /// The name under which reports speak of an edge of the new catalog: that of the old one, where it is the same.
    func subject(ofNew edge: Int) -> ByteText { inOld[edge].map { oldEdges.names[$0] } ?? newEdges.names[edge] }

    /// The name that a route of the old catalog has in the new one.
    func newName(_ route: ByteText) -> ByteText { renamed[route] ?? route }

    /// A stack of the old catalog as the new one calls its routes.
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

    /// The same two catalogs the other way round.
    var reversed: CatalogPairing { CatalogPairing(new, old) }
}

/// The edges of a catalog by name: `parent > route`, with a number from the second of a list on.
struct EdgeNames: Sendable {
    /// The ends of an edge by name.
    struct Ends: Hashable {
        /// `nil` for `entry`.
        let parent: ByteText?
        let child: ByteText

        func renamed(by names: [ByteText: ByteText]) -> Ends {
            Ends(parent: parent.map { names[$0] ?? $0 }, child: names[child] ?? child)
        }
    }

    /// The name of each edge.
    let names: [ByteText]

    /// The edges between two routes, in the order declared.
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
