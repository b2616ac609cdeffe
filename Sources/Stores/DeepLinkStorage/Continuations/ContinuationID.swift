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
