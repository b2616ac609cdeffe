/// Some of the links that were recorded, resolved by both catalogs; apart from the comparison that they are for, so that
/// every core of the machine has some.
package struct RecordedReplay: Sendable {
    private(set) var ledger: FindingLedger
    private(set) var counts = RecordedLinks()

    init(_ ledger: FindingLedger) {
        self.ledger = ledger
    }

    /// Replays a link, and counts what changes for it.
    ///
    /// - Parameters:
    ///   - bytes: the link as it was recorded.
    ///   - opens: how often it was opened.
    /// - Complexity: that of two resolutions, where nothing differs.
    package mutating func replay(_ bytes: [UInt8], opens: Int) {
        counts.linkCount += 1
        counts.openCount += opens
        guard let link = ledger.link(bytes) else {
            counts.malformedCount += 1
            return
        }
        let rules = ledger.replay(link, opens: opens)
        guard !rules.isEmpty else { return }
        if rules.contains(.linkDies) {
            counts.diedCount += 1
            counts.diedOpenCount += opens
        }
        counts.changedCount += 1
        counts.changedOpenCount += opens
    }
}
