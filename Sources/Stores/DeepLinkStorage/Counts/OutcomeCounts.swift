package import DeepLinkCore

/// The numbers of uses of links by their outcomes.
package struct OutcomeCounts: Hashable, Sendable {
    /// A count of each outcome that is no gate's.
    package typealias Lanes = SIMD8<Int>

    /// The beginning of the stored name of an outcome at a gate; the gate's level or grant follows.
    private static let gatePrefix = "gated:"

    /// The counts of the outcomes that are no gate's, by their places.
    private var lanes = Lanes()

    /// The uses that ended at a gate, by the name of its level or grant.
    package private(set) var gated: [ByteText: Int] = [:]

    /// Creates counts of nothing.
    package init() {}

    /// The uses that ended at any gate.
    package var gatedCount: Int { gated.values.reduce(0, &+) }

    /// The number of uses with an outcome.
    package subscript(outcome: LinkOutcome) -> Int { lanes[outcome.lane] }

    /// Returns one use with some outcomes at once, for ``add(_:)``.
    package static func one(_ outcomes: LinkOutcome...) -> Lanes {
        var lanes = Lanes()
        for outcome in outcomes { lanes[outcome.lane] = 1 }
        return lanes
    }

    /// Adds counts of outcomes that are no gate's.
    package mutating func add(_ lanes: Lanes) { self.lanes &+= lanes }

    /// Adds a use that ended at a gate.
    package mutating func addGated(by gate: ByteText) { gated[gate, default: 0] &+= 1 }

    // MARK: As they are stored

    /// The counts that are not zero, by the names under which outcomes are stored, in the order of these.
    package var stored: [(outcome: String, count: Int)] {
        let others = LinkOutcome.allCases.filter { self[$0] != 0 }.map { (outcome: $0.rawValue, count: self[$0]) }
        let gates = gated.map { (outcome: Self.gatePrefix + $0.key.string, count: $0.value) }
        return (others + gates).sorted { $0.outcome.bytewise < $1.outcome.bytewise }
    }

    /// Adds a stored count.
    ///
    /// - Parameters:
    ///   - count: The count.
    ///   - name: The name under which its outcome is stored.
    /// - Returns: Whether there is such an outcome; a later version may know more.
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
