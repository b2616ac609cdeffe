import DeepLinkCore

/// The findings about edges of groups, each change once.
///
/// A group's edge is declared once and exists in each route with the group, so one change has a finding for each of these
/// routes. The edges that a route gets or loses with a whole group are one change of the route.
struct GroupChanges {
    /// An edge of one group in each catalog that has it.
    private struct GroupEdge {
        let group: String
        let old: Int?
        let new: Int?
    }

    private let pairing: CatalogPairing
    private let firstOldEdges: [Int]
    private let firstNewEdges: [Int]

    /// The names of the groups that routes have in both catalogs.
    private let keptGroups: Set<ByteText>

    /// The edges of groups by their names in findings.
    private var edges: [ByteText: GroupEdge] = [:]

    /// Joins the findings that differ only in the routes with a group.
    ///
    /// - Parameters:
    ///   - findings: the findings of all edges.
    ///   - pairing: the catalogs. Without groups in either, the findings are returned as they are.
    /// - Returns: the findings in their order, each joined one at the place of the first. It keeps the link of the first.
    /// - Complexity: linear in the findings and the edges.
    static func joined(_ findings: [Finding], of pairing: CatalogPairing) -> [Finding] {
        guard [pairing.old, pairing.new].contains(where: { $0.edges.contains { $0.group != nil } }) else {
            return findings
        }
        let changes = GroupChanges(pairing)
        var joined: [Finding] = []
        var places: [Finding.Identity: Int] = [:]
        for finding in findings.map(changes.placed) {
            if let place = places[finding.identity] {
                joined[place].add(finding)
            } else {
                places[finding.identity] = joined.count
                joined.append(finding)
            }
        }
        return joined
    }

    private init(_ pairing: CatalogPairing) {
        self.pairing = pairing
        firstOldEdges = pairing.old.firstEdges
        firstNewEdges = pairing.new.firstEdges
        keptGroups = Self.groups(of: pairing.old).intersection(Self.groups(of: pairing.new))
        for new in pairing.new.edges.indices where pairing.inOld(new) == nil {
            edges[pairing.newEdges.names[new]] = edge(old: nil, new: new)
        }
        for old in pairing.old.edges.indices {
            edges[pairing.oldEdges.names[old]] = edge(old: old, new: pairing.inNew(old))
        }
    }

    private static func groups(of catalog: RouteCatalog) -> Set<ByteText> {
        Set(catalog.routes.flatMap { $0.groups.map(\.bytewise) })
    }

    /// Returns an edge with its group, or `nil` if it isn't in one, or in different ones.
    private func edge(old: Int?, new: Int?) -> GroupEdge? {
        let groups = [old.map { pairing.old.edges[$0].group }, new.map { pairing.new.edges[$0].group }]
            .compactMap(\.self)
        guard let group = groups.first ?? nil, groups.allSatisfy({ $0?.bytewise == group.bytewise }) else { return nil }
        return GroupEdge(group: group, old: old, new: new)
    }

    // MARK: One finding

    /// Returns a finding at the place of its group, or the same finding if the cause is no edge of a group.
    private func placed(_ finding: Finding) -> Finding {
        var placed = finding
        let subject = finding.identity.subject.edge.flatMap { edges[$0] }
        switch finding.place?.owner {
        case .edge(let old, let new):
            guard let cause = edge(old: old, new: new) else { return finding }
            if let owner = route(with: cause) {
                pairing.locate(&placed, at: ChangePlace(owner: owner, key: .groups, name: cause.group.bytewise))
                return placed
            }
            let first = ChangePlace.Owner.edge(old: old.map { firstOldEdges[$0] }, new: new.map { firstNewEdges[$0] })
            placed.place = finding.place.map { ChangePlace(owner: first, key: $0.key, name: $0.name) }
            guard let subject, subject.old == old, subject.new == new else { return placed }
            placed.identity.subject.edge = name(of: subject)
        case .route(let old, let new):
            // A change of the opened route is the same for each edge to it.
            guard let subject, subject.old.map({ pairing.old.edges[$0].child }) == old,
                subject.new.map({ pairing.new.edges[$0].child }) == new
            else { return finding }
            placed.identity.subject.edge = name(of: subject)
        default: break
        }
        return placed
    }

    /// Returns the route that gets or loses an edge with its group, or `nil` if the group itself changes.
    private func route(with edge: GroupEdge) -> ChangePlace.Owner? {
        let group = edge.group.bytewise
        guard keptGroups.contains(group), (edge.old == nil) != (edge.new == nil) else { return nil }
        let old = edge.old.map { pairing.old.edges[$0].parent }
        let new = edge.new.map { pairing.new.edges[$0].parent }
        guard let former = old ?? new.flatMap({ pairing.inOldRoutes[$0] }),
            let latter = new ?? old.flatMap({ pairing.inNewRoutes[$0] })
        else { return nil }
        let routes = [pairing.old.routes[former], pairing.new.routes[latter]]
        let isKept = routes.allSatisfy { $0.groups.contains { $0.bytewise == group } }
        return isKept ? nil : .route(old: former, new: latter)
    }

    /// Returns the name of an edge by its group: `group common > profile`.
    private func name(of edge: GroupEdge) -> ByteText? {
        let first: (name: ByteText, parent: String)
        if let old = edge.old.map({ firstOldEdges[$0] }) {
            first = (pairing.oldEdges.names[old], pairing.old.routes[pairing.old.edges[old].parent].name)
        } else if let new = edge.new.map({ firstNewEdges[$0] }) {
            first = (pairing.newEdges.names[new], pairing.new.routes[pairing.new.edges[new].parent].name)
        } else {
            return nil
        }
        let rest = String(Substring(first.name.string.utf8.dropFirst(first.parent.utf8.count)))
        return "group \(edge.group)\(rest)".bytewise
    }
}

extension Finding {
    /// Adds the counts, the links and the harm of the same change in another route.
    fileprivate mutating func add(_ other: Finding) {
        harms.merge(other.harms) { max($0, $1) }
        witness = witness ?? other.witness
        linkCount += other.linkCount
        openCount += other.openCount
        name(other.links)
    }
}
