/// A memory of who redeems continuations: the port through which the HTTP layer makes sure that each is granted once.
///
/// Minting a continuation stores nothing; the first attempt to redeem it does.
public protocol ContinuationStore: Sendable {
    /// Ties a continuation to the first user who redeems it; when this returns, that survives a loss of power.
    ///
    /// What is remembered may be forgotten after `end`, when the continuation itself has expired. From then on it is
    /// ``ContinuationStanding/expired``, whatever `time` is.
    ///
    /// - Returns: how the continuation stands for this user.
    func bind(
        _ id: ContinuationID,
        to user: UserID,
        until end: Timestamp,
        at time: Timestamp
    ) async throws -> ContinuationStanding

    /// Spends a continuation that is bound.
    ///
    /// - Returns: whether it was unspent; of any number of callers, one is told so.
    func spend(_ id: ContinuationID) async throws -> Bool
}
