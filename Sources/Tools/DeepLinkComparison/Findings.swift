import DeepLinkCore

/// The findings of a comparison while links are replayed, each change once.
struct Findings: Sendable {
    let comparison: LinkComparison

    /// All findings so far, in the order of their discovery.
    private(set) var all: [Finding] = []

    /// The index in ``all`` of each change.
    private var places: [Finding.Identity: Int] = [:]

    /// For each edge, the place of the first change that links over the edge show.
    private var causes: [ByteText: ChangePlace] = [:]

    /// The values of new plans that published apps cannot read.
    private(set) var unread = IncompatibleValues()

    /// The number of changes without a finding, because there are too many.
    private(set) var untoldCount = 0

    /// The routes of the new catalog that appear in a stack where the old catalog had another route.
    private(set) var yieldedRoutes: Set<Int> = []

    /// The maximum number of distinct changes.
    ///
    /// Further changes of recorded links are only counted.
    private static let maximumCount = 20_000

    /// Creates an empty collection.
    init(_ comparison: LinkComparison) {
        self.comparison = comparison
    }

    private var pairing: CatalogPairing { comparison.pairing }

    /// All findings so far, followed by unreadable values that no finding covers yet.
    var allWithUnread: [Finding] { unread.findings(pairing, beside: all) }

    /// Replays one link and records the differences.
    ///
    /// - Parameters:
    ///   - link: the link.
    ///   - origin: the origin to report if the link wasn't made for an edge.
    ///   - edge: the edge for which the link was made.
    ///   - opens: the number of times that the link was opened, if it was recorded.
    /// - Returns: the kinds of change that the link shows.
    mutating func replay(
        _ link: DeepLink,
        origin: ByteText? = nil,
        edge: ByteText? = nil,
        opens: Int? = nil
    ) -> [ChangeRule] {
        let differences = comparison.differences(of: link)
        guard !differences.isEmpty else { return [] }
        for difference in differences {
            var identity = difference.identity
            if let origin { identity = Self.identity(identity, ofOrigin: origin) }
            if difference.isOfStack {
                for edge in difference.newWay { yieldedRoutes.insert(pairing.new.edges[edge].child) }
            }
            for value in difference.unread { unread.note(value, link: link.text) }
            note(identity, difference: difference, link: link, edge: edge, opens: opens)
        }
        return differences.map(\.identity.rule)
    }

    /// Returns the identity of a change under an origin: the origin itself if a link dies or revives, or else its own.
    private static func identity(_ identity: Finding.Identity, ofOrigin origin: ByteText) -> Finding.Identity {
        let subject = ChangeSubject(origin: origin)
        return switch identity.rule {
        case .linkDies: Finding.Identity(rule: identity.rule, subject: subject, old: origin, new: identity.new)
        case .linkRevives: Finding.Identity(rule: identity.rule, subject: subject, old: identity.old, new: origin)
        default: identity
        }
    }

    private mutating func note(
        _ identity: Finding.Identity,
        difference: LinkComparison.Difference,
        link: DeepLink,
        edge: ByteText?,
        opens: Int?
    ) {
        let isNew = places[identity] == nil
        if isNew || edge.map({ causes[$0] == nil }) ?? false {
            // A link with an invalid value has the same cause as the valid links over the edge.
            let place = pairing.place(of: difference, link: link) ?? edge.flatMap { causes[$0] }
            if let edge, let place, causes[edge] == nil { causes[edge] = place }
            if isNew {
                var finding = Finding(identity, harms: difference.harms)
                finding.witness = link.text
                pairing.locate(&finding, at: place, oldEdge: difference.oldEdge, newEdge: difference.newEdge)
                begin(finding)
            }
        }
        guard let place = places[identity] else { return }
        if let opens {
            all[place].linkCount += 1
            all[place].openCount += opens
        }
        // The author of a change that opens a route to more users should see all such links.
        if identity.rule.widensAccess { all[place].name([link.text]) }
    }

    /// Adds a new change, or only counts it if there are too many.
    private mutating func begin(_ finding: Finding) {
        guard all.count < Self.maximumCount else {
            untoldCount += 1
            return
        }
        places[finding.identity] = all.count
        all.append(finding)
    }

    /// Adds the results of another collection after the results of this one.
    mutating func add(_ other: Findings) {
        yieldedRoutes.formUnion(other.yieldedRoutes)
        unread.add(other.unread)
        untoldCount += other.untoldCount
        for finding in other.all {
            guard let place = places[finding.identity] else {
                begin(finding)
                continue
            }
            all[place].linkCount += finding.linkCount
            all[place].openCount += finding.openCount
            all[place].name(finding.links)
        }
    }

    /// Adds a change that the files show.
    mutating func add(_ finding: Finding) {
        guard places[finding.identity] == nil else { return }
        places[finding.identity] = all.count
        all.append(finding)
    }
}
