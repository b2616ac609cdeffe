package import DeepLinkFormats

/// The reason why a continuation is not redeemed; the raw value is the one that clients see.
package enum ContinuationError: String {
    /// The token cannot be read.
    case malformed

    /// The token's signature is not this service's.
    case signature

    /// Another user redeemed the token first.
    case otherUser = "other-user"

    /// The token's time is over.
    case expired

    /// The token was granted before.
    case spent
}

extension Problem {
    /// Creates the problem for a continuation that this user cannot redeem.
    package static func invalidContinuation(_ reason: ContinuationError, detail: String) -> Problem {
        Problem(.invalidContinuation, detail: detail, extensions: [.init("reason", text: reason.rawValue)])
    }
}
