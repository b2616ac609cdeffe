package import DeepLinkStorage

/// The writer of counts to a store.
///
/// Counts that a store refuses stay with the writer, in the slices that were tried, and those that come meanwhile are added
/// up: a store that is away costs no more memory than one that is there.
package struct LinkCountWriter {
    private let counts: LinkCounts
    private let store: any LinkCountStore

    /// The slices that are not written yet, the next last.
    private var slices: [CountSlice] = []

    /// Creates a writer of counts to a store.
    package init(_ counts: LinkCounts, to store: any LinkCountStore) {
        self.counts = counts
        self.store = store
    }

    /// Writes all counts so far.
    ///
    /// - Throws: The error of the store; what is not written yet stays.
    package mutating func write() async throws {
        // Those that were refused before come first, and then those that came since.
        for _ in 0..<2 {
            if slices.isEmpty { slices = counts.take().reversed() }
            while let slice = slices.last {
                try await store.add(slice)
                slices.removeLast()
            }
        }
    }

    /// Deletes the counts of days that are too long ago.
    ///
    /// - Parameter today: The present day.
    /// - Throws: The error of the store, or `CancellationError`; the rest is deleted the next time.
    package func dropOld(on today: CountedDay) async throws {
        let first = today.advanced(by: 1 - LinkCountLimits.dayCount)
        while try await store.dropCounts(before: first) { try Task.checkCancellation() }
    }
}
