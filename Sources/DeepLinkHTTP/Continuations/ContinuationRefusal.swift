/// Names why a continuation is not redeemed; the raw value is what clients see.
enum ContinuationRefusal: String {
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
