import DeepLinkCore

/// The findings of a comparison while links are replayed, each change once.
struct FindingLedger: Sendable {
    private let comparison: LinkComparison
    private let pairing: CatalogPairing
    private var findings: [Finding.Identity: Finding] = [:]
    private var order: [Finding.Identity] = []

    /// The routes of the new catalog that stand in a stack where the old one had another.
    private(set) var yieldedRoutes: Set<Int> = []

    /// The most changes that are told apart: what recorded links add beyond it is counted alone.
    private static let maximumCount = 20_000

    init(_ pairing: CatalogPairing, levels: [AuthorizationLevel]) {
        self.pairing = pairing
        comparison = LinkComparison(pairing, levels: levels)
    }

    /// A ledger of the same two catalogs in which nothing is noted yet.
    var blank: FindingLedger { FindingLedger(pairing, comparison) }

    private init(_ pairing: CatalogPairing, _ comparison: LinkComparison) {
        self.pairing = pairing
        self.comparison = comparison
    }

    /// All findings so far, in the order in which they came up.
    var all: [Finding] { order.compactMap { findings[$0] } }

    /// Reads a recorded link; `nil` for a text that is a link to neither catalog.
    func link(_ bytes: [UInt8]) -> DeepLink? { pairing.link(bytes) }

    /// Lists the kinds of change that a link shows, and notes none.
    func rules(shownBy link: DeepLink) -> [ChangeRule] { comparison.differences(of: link).map(\.identity.rule) }

    /// Replays one link, and notes what differs.
    ///
    /// - Parameters:
    ///   - link: the link.
    ///   - origin: the origin that it shows, where it shows no edge.
    ///   - opens: how often it was opened, where it is a recorded one.
    /// - Returns: the kinds of change that it shows.
    mutating func replay(_ link: DeepLink, origin: ByteText? = nil, opens: Int? = nil) -> [ChangeRule] {
        let differences = comparison.differences(of: link)
        guard !differences.isEmpty else { return [] }
        for difference in differences {
            var identity = difference.identity
            if let origin {
                guard let told = Self.identity(identity, ofOrigin: origin) else { continue }
                identity = told
            }
            for edge in difference.newStack { yieldedRoutes.insert(pairing.new.edges[edge].child) }
            note(identity, difference, link, opens)
        }
        return differences.map(\.identity.rule)
    }

    /// Tells a change of an origin; `nil` for all but life and death: the edges under it have witnesses of their own.
    private static func identity(_ identity: Finding.Identity, ofOrigin origin: ByteText) -> Finding.Identity? {
        var subject = ChangeSubject()
        subject.origin = origin
        return switch identity.rule {
        case .linkDies: Finding.Identity(rule: identity.rule, subject: subject, old: origin, new: identity.new)
        case .linkRevives: Finding.Identity(rule: identity.rule, subject: subject, old: identity.old, new: origin)
        default: nil
        }
    }

    private mutating func note(
        _ identity: Finding.Identity,
        _ difference: LinkComparison.Difference,
        _ link: DeepLink,
        _ opens: Int?
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
        // Whoever opens a place to more users is to see every way in.
        if identity.rule == .levelLowered { findings[identity]?.name([link.text]) }
    }

    /// Takes a change up that is not known yet; `false` where there are too many.
    private mutating func begin(_ finding: Finding) -> Bool {
        guard order.count < Self.maximumCount else { return false }
        findings[finding.identity] = finding
        order.append(finding.identity)
        return true
    }

    /// Adds what links showed that were replayed by another ledger, after those of this one.
    mutating func add(_ other: FindingLedger) {
        yieldedRoutes.formUnion(other.yieldedRoutes)
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
