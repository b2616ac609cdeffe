package import DeepLinkCore

/// A store of redeemed continuations, which ensures that each is granted once.
///
/// Minting a continuation stores nothing. The first attempt to redeem it does.
package protocol ContinuationStore: LedgerStore {}

extension ContinuationStore {
    /// Binds a continuation to the first user who redeems it.
    ///
    /// The binding may be deleted after `end`, when the continuation itself has expired. From then on the state is
    /// ``RedemptionState/expired``, for every `time`.
    ///
    /// - Returns: The state of the continuation for this user.
    package func bind(
        _ id: ContinuationID,
        to user: UserID,
        until end: Timestamp,
        at time: Timestamp
    ) async throws -> RedemptionState { try await make(.bind(id, to: user, until: end, at: time)) }

    /// Spends a continuation that is bound.
    ///
    /// - Returns: Whether it was unspent. Of any number of concurrent calls, one returns `true`.
    package func spend(_ id: ContinuationID) async throws -> Bool { try await make(.spend(id)) }
}

/// The identity of a continuation: 32 random hexadecimal digits.
package struct ContinuationID: Hashable, Sendable {
    private static let digits = Array("0123456789abcdef".utf8)

    private static let digitCount = 32

    /// The digits, in lower case.
    package let text: String

    /// Creates an id from random characters of an alphabet.
    package init(drawing draw: (_ count: Int, _ alphabet: [UInt8]) -> String) {
        text = draw(Self.digitCount, Self.digits)
    }

    /// Parses an id, or returns `nil` for any other text.
    package init?(_ text: String) {
        guard text.utf8.count == Self.digitCount, text.utf8.allSatisfy(Self.digits.contains) else { return nil }
        self.text = text
    }
}

/// The state of a continuation for the user that redeems it.
package enum RedemptionState: Hashable, Sendable {
    /// The continuation is bound to this user and has not been granted.
    case open

    /// The continuation is bound to this user and was granted before.
    case granted

    /// The continuation is bound to another user and was granted.
    case spent

    /// The continuation is bound to another user and has not been granted.
    case otherUser

    /// The continuation has expired and its record may be deleted. This stays so even if the clock was set back since.
    case expired
}
