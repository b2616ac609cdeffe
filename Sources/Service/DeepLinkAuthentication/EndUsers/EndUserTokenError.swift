/// The reason why an end user's token is refused.
///
/// The descriptions are sentences of ASCII without quotes, and never repeat the token, so that a client may see them
/// in `WWW-Authenticate: Bearer error_description="…"` (RFC 6750 §3).
package enum EndUserTokenError: String, Error, CaseIterable, CustomStringConvertible {
    /// The token has more than 4,096 bytes.
    case tooLong

    /// The token isn't a JWT in compact form (RFC 7519 §3.1).
    case malformed

    /// The header lists extensions that must be understood (RFC 7515 §4.1.11), and this service supports none.
    case criticalHeader

    /// The header's `alg` is unsupported, or differs from the key's algorithm.
    case algorithm

    /// The header's `kid` is not in the key set, or the header lacks a `kid` and the set does not have exactly one key
    /// for the algorithm.
    case unknownKey

    /// No key set is loaded: the source of the keys could not be read since the start.
    case keysUnavailable

    /// The signature does not verify with the key.
    case signature

    /// `iss` is absent, or not one of the accepted issuers.
    case issuer

    /// `aud` is absent, or contains none of the accepted audiences.
    case audience

    /// `exp` is absent.
    case missingExpiry

    /// `exp` or `nbf` isn't a number.
    case malformedTime

    /// The time of `exp` has passed.
    case expired

    /// The time of `nbf` has not come.
    case notYetValid

    /// `sub` is absent or not a valid user id.
    case subject

    /// The description of the error.
    package var description: String {
        switch self {
        case .tooLong: "The token is longer than \(EndUserToken.maximumByteCount) bytes."
        case .malformed:
            "The token is not a JWT: a header and claims, each a JSON object in base64url, and a signature."
        case .criticalHeader: "The token requires an extension by crit, and this service knows none."
        case .algorithm:
            "The token is not signed by the algorithm of its key; there are HS256, ES256, RS256 and EdDSA."
        case .unknownKey: "The token names no key by kid that this service knows."
        case .keysUnavailable: "The keys that verify tokens are not available at present."
        case .signature: "The signature of the token is not valid."
        case .issuer: "The token is not of the issuer that this service trusts."
        case .audience: "The token is not meant for this service: aud does not name it."
        case .missingExpiry: "The token has no exp."
        case .malformedTime: "The times exp and nbf of a token are numbers of seconds."
        case .expired: "The token has expired."
        case .notYetValid: "The token is not valid yet."
        case .subject: "The token names no user by sub: 1 to 256 bytes without control characters."
        }
    }
}
