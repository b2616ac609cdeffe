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

/// The identity of a continuation: 32 hexadecimal digits, drawn at random.
package struct ContinuationID: Hashable, Sendable {
    private static let digits = Array("0123456789abcdef".utf8)

    private static let digitCount = 32

    /// The digits, in lower case.
    package let text: String

    /// Creates an id from random characters of an alphabet.
    package init(drawing draw: (_ count: Int, _ alphabet: [UInt8]) -> String) {
        text = draw(Self.digitCount, Self.digits)
    }

    /// Reads an id; `nil` for any other text.
    package init?(_ text: String) {
        guard text.utf8.count == Self.digitCount, text.utf8.allSatisfy(Self.digits.contains) else { return nil }
        self.text = text
    }
}

/// The state of a continuation for a user who redeems it.
package enum ContinuationStanding: Hashable, Sendable {
    /// It is this user's, and not yet granted.
    case open

    /// It is this user's, and was granted before.
    case granted

    /// It is another user's, and was granted.
    case spent

    /// Another user redeemed it first.
    case otherUser

    /// It has expired before, and its record may be forgotten, even if the clock has gone back since.
    case expired
}
