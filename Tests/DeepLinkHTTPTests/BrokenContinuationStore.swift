import DeepLinkCore
import DeepLinkStorage

/// Stands for a disk that does not answer.
struct BrokenContinuationStore: ContinuationStore {
    private struct Broken: Error {}

    func bind(
        _ id: ContinuationID,
        to user: UserID,
        until end: Timestamp,
        at time: Timestamp
    ) async throws -> RedemptionState { throw Broken() }

    func spend(_ id: ContinuationID) async throws -> Bool { throw Broken() }
}
