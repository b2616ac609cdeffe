import DeepLinkCore

/// The findings of a comparison while links are replayed, each change once.
struct Findings: Sendable {
    private let comparison: LinkComparison
    private let pairing: CatalogPairing
    private var findings: [Finding.Identity: Finding] = [:]
    private var order: [Finding.Identity] = []

    /// The values of new plans that published apps cannot read.
    private(set) var unread = UnreadValues()

    /// The number of changes that have no finding because there are too many.
    private(set) var untoldCount = 0

    /// The routes of the new catalog that appear in a stack where the old one had another.
    private(set) var yieldedRoutes: Set<Int> = []

    /// The most distinct changes: further ones from recorded links are only counted.
    private static let maximumCount = 20_000

    init(_ pairing: CatalogPairing, levels: [AuthorizationLevel]) {
        self.pairing = pairing
        comparison = LinkComparison(pairing, levels: levels)
    }

    /// An empty ledger for the same two catalogs.
    var blank: Findings { Findings(pairing, comparison: comparison) }

    private init(_ pairing: CatalogPairing, comparison: LinkComparison) {
        self.pairing = pairing
        self.comparison = comparison
    }

    /// All findings so far, in the order of their discovery.
    var all: [Finding] { order.compactMap { findings[$0] } }

    /// All findings so far, followed by the values that apps cannot read and that have no finding yet.
    var allWithUnread: [Finding] { unread.findings(pairing, beside: all) }

    /// Reads a recorded link; `nil` for a text that neither catalog accepts as a link.
    func link(_ bytes: [UInt8]) -> DeepLink? { pairing.link(bytes) }

    /// Replays one link and records the differences.
    ///
    /// - Parameters:
    ///   - link: the link.
    ///   - origin: the origin to report if the link has no edge.
    ///   - opens: the number of times that the link was opened, if it was recorded.
    /// - Returns: the kinds of change that the link shows.
    mutating func replay(_ link: DeepLink, origin: ByteText? = nil, opens: Int? = nil) -> [ChangeRule] {
        let differences = comparison.differences(of: link)
        guard !differences.isEmpty else { return [] }
        for difference in differences {
            var identity = difference.identity
            if let origin {
                identity = Self.identity(identity, ofOrigin: origin)
            }
            for edge in difference.newStack { yieldedRoutes.insert(pairing.new.edges[edge].child) }
            for value in difference.unread { unread.note(value, link: link.text) }
            note(identity, difference: difference, link: link, opens: opens)
        }
        return differences.map(\.identity.rule)
    }

    /// Returns the identity of a change under an origin: the origin's if a link dies or revives, otherwise its own.
    private static func identity(_ identity: Finding.Identity, ofOrigin origin: ByteText) -> Finding.Identity {
        var subject = ChangeSubject()
        subject.origin = origin
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
        opens: Int?
    ) {
        if findings[identity] == nil {
            var finding = Finding(identity, harms: difference.harms)
            finding.witness = link.text
            finding.oldLocation = difference.oldEdge.map { pairing.old.edges[$0].location }
            finding.newLocation = difference.newEdge.map { pairing.new.edges[$0].location }
            guard begin(finding) else { return }
        }
        if let opens {
            findings[identity]?.linkCount += 1
            findings[identity]?.openCount += opens
        }
        // An author who opens a place to more users should see every way in.
        if identity.rule.widensAccess { findings[identity]?.name([link.text]) }
    }

    /// Adds a change that isn't known yet; `false` if there are too many.
    private mutating func begin(_ finding: Finding) -> Bool {
        guard order.count < Self.maximumCount else {
            untoldCount += 1
            return false
        }
        findings[finding.identity] = finding
        order.append(finding.identity)
        return true
    }

    /// Adds the results of another ledger after those of this one.
    mutating func add(_ other: Findings) {
        yieldedRoutes.formUnion(other.yieldedRoutes)
        unread.add(other.unread)
        untoldCount += other.untoldCount
        for finding in other.all where findings[finding.identity] != nil || !begin(finding) {
            findings[finding.identity]?.linkCount += finding.linkCount
            findings[finding.identity]?.openCount += finding.openCount
            findings[finding.identity]?.name(finding.links)
        }
    }

    /// Adds a change that the files show.
    mutating func add(_ finding: Finding) {
        guard findings[finding.identity] == nil else { return }
        findings[finding.identity] = finding
        order.append(finding.identity)
    }
}
