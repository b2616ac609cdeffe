package import DeepLinkCore

/// The numbers of uses of links, by outcome.
package struct OutcomeCounts: Hashable, Sendable {
    /// A count of each outcome except gates.
    package typealias Lanes = SIMD8<Int>

    /// The prefix of the stored name of an outcome at a gate.
    ///
    /// The gate's level or grant follows.
    private static let gatePrefix = "gated:"

    /// The counts of all outcomes except gates, by index.
    private var lanes = Lanes()

    /// The uses that ended at a gate, by the name of its level or grant.
    package private(set) var gated: [ByteText: Int] = [:]

    /// Creates counts of zero.
    package init() {}

    /// The uses that ended at any gate.
    package var gatedCount: Int { gated.values.reduce(0, &+) }

    /// The number of uses with an outcome.
    package subscript(outcome: LinkOutcome) -> Int { lanes[outcome.lane] }

    /// Returns a single use that has several outcomes at once, for ``add(_:)``.
    package static func one(_ outcomes: LinkOutcome...) -> Lanes {
        var lanes = Lanes()
        for outcome in outcomes { lanes[outcome.lane] = 1 }
        return lanes
    }

    /// Adds counts of outcomes except gates.
    package mutating func add(_ lanes: Lanes) { self.lanes &+= lanes }

    /// Adds a use that ended at a gate.
    package mutating func addGated(by gate: ByteText) { gated[gate, default: 0] &+= 1 }

    // MARK: Stored form

    /// The counts that are not zero, by the stored names of the outcomes, ordered by name.
    package var stored: [(outcome: String, count: Int)] {
        let others = LinkOutcome.allCases.filter { self[$0] != 0 }.map { (outcome: $0.rawValue, count: self[$0]) }
        let gates = gated.map { (outcome: Self.gatePrefix + $0.key.string, count: $0.value) }
        return (others + gates).sorted { $0.outcome.bytewise < $1.outcome.bytewise }
    }

    /// Adds a stored count.
    ///
    /// - Parameters:
    ///   - count: The count.
    ///   - name: The stored name of the outcome.
    /// - Returns: Whether the outcome is known. A later version may store others.
    @discardableResult
    package mutating func add(_ count: Int, storedAs name: String) -> Bool {
        if let outcome = LinkOutcome(bytewise: name) {
            lanes[outcome.lane] &+= count
            return true
        }
        guard name.utf8.starts(with: Self.gatePrefix.utf8) else { return false }
        let gate = String(decoding: name.utf8.dropFirst(Self.gatePrefix.utf8.count), as: UTF8.self)
        gated[gate.bytewise, default: 0] &+= count
        return true
    }
}

/// The counted outcome of a use of a link.
///
/// For a link that ended at a gate, the outcome is the gate's name instead.
package enum LinkOutcome: String, CaseIterable, Sendable {
    /// The app shows the link's destinations.
    case opened

    /// The opened links that an end user resolved with their own token.
    case openedByUsers

    /// The opened links whose user was at a gate before.
    case passed

    /// The opened links that were deferred deep links, carried over the installation of the app.
    case arrived

    /// The link did not resolve.
    case failed

    /// A browser got the page of the link.
    case page

    /// A preview crawler got the page of the link.
    case preview

    /// A browser was redirected to a fallback.
    case redirected

    /// The index of the outcome in a vector of counts.
    var lane: Int {
        switch self {
        case .opened: 0
        case .openedByUsers: 1
        case .passed: 2
        case .arrived: 3
        case .failed: 4
        case .page: 5
        case .preview: 6
        case .redirected: 7
        }
    }
}
