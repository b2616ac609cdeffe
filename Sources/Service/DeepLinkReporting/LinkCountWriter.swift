package import DeepLinkStorage

/// The writer of counts to a store.
///
/// If the store rejects counts, they stay with the writer, in the tried batches, and new counts are added up in the
/// meantime. An unavailable store costs no more memory than an available one.
package struct LinkCountWriter {
    private let counts: LinkCounts
    private let store: any LinkCountStore

    /// The batches still to be written, the next one last.
    private var slices: [CountSlice] = []

    /// Creates a writer of counts to a store.
    package init(_ counts: LinkCounts, to store: any LinkCountStore) {
        self.counts = counts
        self.store = store
    }

    /// Writes all counts so far.
    ///
    /// - Throws: The error of the store. Unwritten counts are kept.
    package mutating func write() async throws {
        // Previously rejected counts come first, followed by the new ones.
        for _ in 0..<2 {
            if slices.isEmpty { slices = counts.take().reversed() }
            while let slice = slices.last {
                try await store.add(slice)
                slices.removeLast()
            }
        }
    }

    /// Deletes the counts of days beyond the retention period.
    ///
    /// - Parameter today: The current day.
    /// - Throws: The error of the store, or `CancellationError`. The rest is deleted the next time.
    package func dropOld(on today: CountedDay) async throws {
        let first = today.advanced(by: 1 - LinkCountLimits.dayCount)
        while try await store.dropCounts(before: first) { try Task.checkCancellation() }
    }
}
