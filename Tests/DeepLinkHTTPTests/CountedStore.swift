import DeepLinkCore
import DeepLinkReporting
import DeepLinkStorage
import WaymarkTestSupport

/// A store of counts in memory to which all that was counted is written whenever it is read.
struct CountedStore: LinkCountStore {
    /// The failure of a store that is out of reach.
    struct Failure: Error {}

    /// The counts that are not written yet.
    let counts = LinkCounts()

    /// Whether the store is out of reach.
    var isBroken = false

    private let stored = InMemoryLinkCountStore()

    func add(_ slice: CountSlice) async throws {
        guard !isBroken else { throw Failure() }
        try await stored.add(slice)
    }

    func counts(_ question: CountQuery) async throws -> [CountRow] {
        for slice in counts.take() { try await add(slice) }
        guard !isBroken else { throw Failure() }
        return try await stored.counts(question)
    }

    func dropCounts(before day: CountedDay) async throws -> Bool { try await stored.dropCounts(before: day) }
}
