import DeepLinkCore

/// The reader of `groups`: the edges that several routes have in common, by the name of the group.
struct GroupsReader {
    /// The key of the catalog, and of routes with groups.
    static let key = "groups"

    let edges: EdgeReader
    let log: IssueLog

    /// Reads a mapping from the names of groups to their edges, in the form of `opens`.
    ///
    /// A group that another file declares too is reported.
    func read(_ node: YAMLNode, into groups: inout EdgeGroups) {
        if node.pairs == nil { log.holdBack(.unknownGroup, .unreachableRoute, .gateUnresolved) }
        for (name, value) in MappingReader.pairs(of: node, subject: "`\(Self.key)`", log: log) {
            if value.pairs == nil { log.holdBack(.unreachableRoute, .gateUnresolved) }
            let opens = edges.read(value, subject: "the group `\(name.value)`", example: "push")
            let place = log.location(name.mark)
            guard let other = groups.add(name.value, opens: opens, at: place) else { continue }
            // No route has the edges of the second group.
            log.holdBack(.unreachableRoute, .gateUnresolved)
            log.reportDuplicate(.duplicateGroup, of: "The group `\(name.value)`", at: place, other: other)
        }
    }
}

/// The groups of a catalog, by their names.
struct EdgeGroups {
    /// The maximum number of edges that the routes of a catalog get from groups.
    ///
    /// A short file could otherwise stand for more edges than memory holds.
    static let maximumEdgeCount = 100_000

    private var groups: [ByteText: [EdgeDefinition]] = [:]
    private var places: [ByteText: SourceLocation] = [:]

    /// Adds a group, or returns the location of the group that has the name already.
    mutating func add(_ name: String, opens: [EdgeDefinition], at place: SourceLocation) -> SourceLocation? {
        if let other = places[name.bytewise] { return other }
        places[name.bytewise] = place
        groups[name.bytewise] = opens.map { $0.inGroup(name) }
        return nil
    }

    /// Reads the names of a route's groups, reporting and omitting unknown names.
    ///
    /// A name that is repeated counts once.
    func names(in reader: MappingReader, log: IssueLog) -> [Located<String>] {
        guard let node = reader[GroupsReader.key] else { return [] }
        if node.items == nil { log.holdBack(.unreachableRoute, .gateUnresolved) }
        var known: Set<ByteText> = []
        return (reader.strings(GroupsReader.key) ?? [])
            .filter { name in
                guard groups[name.value.bytewise] == nil else { return known.insert(name.value.bytewise).inserted }
                guard !log.heldBack.contains(.unknownGroup) else { return false }
                // The routes that the group would open are not reported as unreachable too.
                log.holdBack(.unreachableRoute, .gateUnresolved)
                let near = SpellingSuggestion.closest(to: name.value, among: groups.keys.lazy.map { $0.string })
                log.report(
                    .unknownGroup,
                    at: name.location,
                    message: "There is no group `\(name.value)`.",
                    hint: near.map { "Did you mean `\($0)`?" } ?? "Declare it under `groups`."
                )
                return false
            }
    }

    /// Returns the edges of a route: its own, and then the edges of its groups.
    ///
    /// `count` is the number of edges that groups have given to routes so far. The first group that exceeds the maximum is
    /// reported, and its edges are left out, as the edges of all later groups are.
    ///
    /// - Complexity: linear in the edges.
    func edges(
        beside own: [EdgeDefinition],
        of names: [Located<String>],
        count: inout Int,
        log: IssueLog
    ) -> [EdgeDefinition] {
        var edges = own
        for name in names where count <= Self.maximumEdgeCount {
            let opens = groups[name.value.bytewise] ?? []
            count += opens.count
            guard count <= Self.maximumEdgeCount else {
                log.holdBack(.unreachableRoute, .gateUnresolved)
                log.report(
                    .tooLarge,
                    at: name.location,
                    message: "Groups give the routes more than \(Self.maximumEdgeCount) edges.",
                    hint: "Name the group at fewer routes, or split the app's routes over several services."
                )
                break
            }
            edges += opens
        }
        return edges.count == own.count ? own : edges.listedByRoute
    }
}
