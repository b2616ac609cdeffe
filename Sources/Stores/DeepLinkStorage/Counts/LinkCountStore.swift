/// A store of the counts of uses of links: the port through which servers add up, and one answers for all.
///
/// Every implementation passes one conformance suite, `LinkCountStoreConformance` in the tests.
package protocol LinkCountStore: Sendable {
    /// Adds the counts of a slice to those that are stored, all or none; when this returns, they survive a loss of power.
    ///
    /// A slice that a failed call may have added can be sent again: it is added once.
    func add(_ slice: CountSlice) async throws

    /// Reads a page of counts, in the order of their headings' bytes.
    ///
    /// - Returns: At most as many rows as the question allows; fewer if no more follow.
    func counts(_ question: CountQuestion) async throws -> [CountRow]

    /// Deletes some of the counts of the days before one; no other work is held up for long.
    ///
    /// - Returns: Whether there may be more.
    func dropCounts(before day: CountedDay) async throws -> Bool
}

/// The bounds of stored counts.
package enum LinkCountLimits {
    /// The number of days for which counts are kept, the present one included.
    package static let dayCount = 400

    /// The most codes that a question names.
    package static let namedCodeCount = 100

    /// The number of counts that are deleted at once.
    package static let droppedCount = 250
}
