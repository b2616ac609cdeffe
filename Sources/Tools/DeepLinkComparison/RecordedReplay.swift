/// A part of the recorded links, resolved by both catalogs; separate from its comparison, so that every core of the
/// machine replays some.
package struct RecordedReplay: Sendable {
    private(set) var findings: Findings
    private(set) var counts = RecordedLinks()

    init(_ findings: Findings) {
        self.findings = findings
    }

    /// Replays a link and counts its changes.
    ///
    /// - Parameters:
    ///   - bytes: the link as recorded.
    ///   - opens: the number of times that the link was opened.
    /// - Complexity: that of two resolutions if nothing differs.
    package mutating func replay(_ bytes: [UInt8], opens: Int) {
        counts.linkCount += 1
        counts.openCount += opens
        guard let link = findings.link(bytes) else {
            counts.malformedCount += 1
            return
        }
        let rules = findings.replay(link, opens: opens)
        guard !rules.isEmpty else { return }
        if rules.contains(.linkDies) {
            counts.diedCount += 1
            counts.diedOpenCount += opens
        }
        counts.changedCount += 1
        counts.changedOpenCount += opens
    }
}
