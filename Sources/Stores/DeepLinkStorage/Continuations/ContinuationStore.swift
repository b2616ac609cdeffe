package import DeepLinkCore

/// A memory of who redeems continuations: the port through which the HTTP layer makes sure that each is granted once.
///
/// Minting a continuation stores nothing; the first attempt to redeem it does.
package protocol ContinuationStore: Sendable {
    /// Binds a continuation to the first user who redeems it; when this returns, that survives a power failure.
    ///
    /// The binding may be forgotten after `end`, when the continuation itself has expired. From then on the state is
    /// ``ContinuationStanding/expired``, for every `time`.
    ///
    /// - Returns: the state of the continuation for this user.
    func bind(
        _ id: ContinuationID,
        to user: UserID,
        until end: Timestamp,
        at time: Timestamp
    ) async throws -> ContinuationStanding

    /// Spends a continuation that is bound.
    ///
    /// - Returns: whether it was unspent; of any number of callers, one gets `true`.
    func spend(_ id: ContinuationID) async throws -> Bool
}
