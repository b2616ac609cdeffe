import DeepLinkCore

/// The findings about edges of groups, each change of a group once.
///
/// A group's edge is declared once and exists in each route with the group, so one change of it has a finding for each
/// of these routes. Findings that routes get or lose with a whole group are one change of the route.
struct GroupChanges {
    private let pairing: CatalogPairing
    private let firstOldEdges: [Int]
    private let firstNewEdges: [Int]

    /// The names of the groups that routes have in both catalogs.
    private let keptGroups: Set<ByteText>

    /// Prepares the groups of two catalogs.
    ///
    /// - Complexity: linear in the edges.
    private init(_ pairing: CatalogPairing) {
        self.pairing = pairing
        firstOldEdges = pairing.old.firstEdges
        firstNewEdges = pairing.new.firstEdges
        keptGroups = Self.groups(of: pairing.old).intersection(Self.groups(of: pairing.new))
    }

    private static func groups(of catalog: RouteCatalog) -> Set<ByteText> {
        Set(catalog.routes.flatMap { $0.groups.map(\.bytewise) })
    }

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

    /// Returns a finding at the place of its group, or the same finding if its place is no edge of a group.
    private func placed(_ finding: Finding) -> Finding {
        guard let place = finding.place, case .edge(let old, let new) = place.owner,
            let group = old.map({ pairing.old.edges[$0].group }) ?? new.map({ pairing.new.edges[$0].group }) ?? nil
        else { return finding }
        var placed = finding
        if let owner = route(of: group, old: old, new: new) {
            pairing.locate(&placed, at: ChangePlace(owner: owner, key: .groups, name: group.bytewise))
            return placed
        }
        if let old, let new, pairing.old.edges[old].group?.bytewise != pairing.new.edges[new].group?.bytewise {
            return finding
        }
        let name = old.map { pairing.oldEdges.names[$0] } ?? new.map(pairing.subject(ofNew:))
        if let name, finding.identity.subject.edge == name {
            placed.identity.subject.edge = self.name(of: group, old: old, new: new) ?? name
        }
        let owner = ChangePlace.Owner.edge(old: old.map { firstOldEdges[$0] }, new: new.map { firstNewEdges[$0] })
        placed.place = ChangePlace(owner: owner, key: place.key, name: place.name)
        return placed
    }

    /// Returns the route that gets or loses an edge with its group, or `nil` if the group itself changes.
    private func route(of group: String, old: Int?, new: Int?) -> ChangePlace.Owner? {
        guard keptGroups.contains(group.bytewise) else { return nil }
        if let old, new == nil {
            let route = pairing.old.edges[old].parent
            guard route < pairing.old.routes.count, let other = pairing.inNewRoutes[route] else { return nil }
            let isKept = pairing.new.routes[other].groups.contains { $0.bytewise == group.bytewise }
            return isKept ? nil : .route(old: route, new: other)
        }
        if let new, old == nil {
            let route = pairing.new.edges[new].parent
            guard route < pairing.new.routes.count, let other = pairing.inOldRoutes[route] else { return nil }
            let isKept = pairing.old.routes[other].groups.contains { $0.bytewise == group.bytewise }
            return isKept ? nil : .route(old: other, new: route)
        }
        return nil
    }

    /// Returns the name of a group's edge: `group common > profile`.
    private func name(of group: String, old: Int?, new: Int?) -> ByteText? {
        let name: ByteText
        let parent: String
        if let edge = old.map({ firstOldEdges[$0] }) {
            name = pairing.oldEdges.names[edge]
            parent = pairing.old.routes[pairing.old.edges[edge].parent].name
        } else if let edge = new.map({ firstNewEdges[$0] }) {
            name = pairing.newEdges.names[edge]
            parent = pairing.new.routes[pairing.new.edges[edge].parent].name
        } else {
            return nil
        }
        let rest = String(Substring(name.string.utf8.dropFirst(parent.utf8.count)))
        return "group \(group)\(rest)".bytewise
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
