import DeepLinkStorage

/// Stands for a disk that does not answer.
struct BrokenContinuationStore: ContinuationStore {
    private struct Broken: Error {}

    func make<Outcome: Sendable>(_ change: StoreChange<Outcome>) async throws -> Outcome { throw Broken() }
}
