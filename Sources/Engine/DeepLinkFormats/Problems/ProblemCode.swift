/// A kind of problem.
///
/// The raw value is the code that clients receive after `urn:waymark:problem:`.
package enum ProblemCode: String, CaseIterable, Sendable {
    /// The text isn't a link.
    case malformedLink = "malformed-link"

    /// Another part of the request is missing, unknown or invalid.
    case invalidRequest = "invalid-request"

    /// The token isn't a continuation of this service, or belongs to another user.
    case invalidContinuation = "invalid-continuation"

    /// The continuation has expired.
    case continuationExpired = "continuation-expired"

    /// The continuation was granted or issued to another user.
    case continuationSpent = "continuation-spent"

    /// The request has no valid credentials.
    case authenticationRequired = "authentication-required"

    /// The caller is authenticated, but not allowed to do this.
    case insufficientScope = "insufficient-scope"

    /// The user's level is too low for the destination of the link.
    case insufficientAuthorizationLevel = "insufficient-authorization-level"

    /// The user lacks a grant for the destination of the link.
    case missingGrant = "missing-grant"

    /// Another app has the destination of the link.
    case otherApp = "other-app"

    /// The app is too old for the destination of the link.
    case appUpdateRequired = "app-update-required"

    /// The route accepts signed links only.
    case signatureRequired = "signature-required"

    /// The link's signature is invalid.
    case invalidSignature = "invalid-signature"

    /// No origin of the catalog has the link's scheme and host.
    case unknownOrigin = "unknown-origin"

    /// No route matches the link's path.
    case noMatchingRoute = "no-matching-route"

    /// No short link has the code, or the short link has expired.
    case unknownShortLink = "unknown-short-link"

    /// No state of this user is stored.
    case unknownUser = "unknown-user"

    /// The path belongs to the server itself, and does not exist.
    case notFound = "not-found"

    /// The path exists, but not for this method.
    case methodNotAllowed = "method-not-allowed"

    /// The client does not accept JSON.
    case notAcceptable = "not-acceptable"

    /// The request's body is not declared as JSON.
    case unsupportedMediaType = "unsupported-media-type"

    /// The version of the state does not satisfy `If-Match` or `If-None-Match`.
    case versionMismatch = "version-mismatch"

    /// The name of a short link is used by another link.
    case nameTaken = "name-taken"

    /// The code of a short link is used by another link.
    case codeTaken = "code-taken"

    /// The maximum number of distinct labels of short links is reached.
    case tooManyLabels = "too-many-labels"

    /// A request with the same idempotency key is still in progress.
    case requestInProgress = "request-in-progress"

    /// The idempotency key was used for another request.
    case idempotencyKeyReused = "idempotency-key-reused"

    /// The body is over the limit.
    case bodyTooLarge = "body-too-large"

    /// The request target is over the limit.
    case uriTooLong = "uri-too-long"

    /// The header fields are over the limit.
    case headersTooLarge = "headers-too-large"

    /// The `Host` is not a host of this server.
    case misdirectedRequest = "misdirected-request"

    /// A parameter of the link is missing or invalid.
    case invalidParameter = "invalid-parameter"

    /// The link requests several destinations over one screen.
    case conflictingDestinations = "conflicting-destinations"

    /// The link puts one route onto the stack too often.
    case tooDeep = "too-deep"

    /// No link opens the stack.
    case noLink = "no-link"

    /// The caller exceeded its rate limit.
    case tooManyRequests = "too-many-requests"

    /// User states are temporarily unavailable.
    case userStateUnavailable = "user-state-unavailable"

    /// It is unknown whether the change was made.
    case outcomeUnknown = "outcome-unknown"

    /// The server is overloaded or shutting down.
    case overloaded

    /// A failure that the client cannot fix.
    case `internal` = "internal"

    /// The HTTP status of the code.
    package var status: Int {
        switch self {
        case .malformedLink, .invalidRequest, .invalidContinuation: 400
        case .continuationExpired, .continuationSpent: 410
        case .authenticationRequired: 401
        case .insufficientAuthorizationLevel, .missingGrant, .insufficientScope, .otherApp, .appUpdateRequired,
            .signatureRequired, .invalidSignature:
            403
        case .unknownOrigin, .noMatchingRoute, .unknownShortLink, .unknownUser, .notFound: 404
        case .methodNotAllowed: 405
        case .notAcceptable: 406
        case .unsupportedMediaType: 415
        case .versionMismatch: 412
        case .requestInProgress, .nameTaken, .codeTaken: 409
        case .bodyTooLarge: 413
        case .uriTooLong: 414
        case .headersTooLarge: 431
        case .misdirectedRequest: 421
        case .invalidParameter, .conflictingDestinations, .tooDeep, .noLink,
            .tooManyLabels, .idempotencyKeyReused:
            422
        case .tooManyRequests: 429
        case .userStateUnavailable, .outcomeUnknown, .overloaded: 503
        case .internal: 500
        }
    }

    /// A short summary that is the same for every occurrence (RFC 9457 §3.1.3).
    package var title: String {
        switch self {
        case .malformedLink: "The link is malformed"
        case .invalidRequest: "The request is invalid"
        case .invalidContinuation: "The continuation is invalid"
        case .continuationExpired: "The continuation has expired"
        case .continuationSpent: "The continuation is spent"
        case .authenticationRequired: "Authentication is required"
        case .insufficientScope: "The credentials do not allow this"
        case .insufficientAuthorizationLevel: "The user's authorization level is too low"
        case .missingGrant: "The user lacks a grant"
        case .otherApp: "Another app has the link"
        case .appUpdateRequired: "The app is too old"
        case .signatureRequired: "The link needs a signature"
        case .invalidSignature: "The link's signature is invalid"
        case .unknownOrigin: "The link is of an unknown origin"
        case .noMatchingRoute: "No route matches the link"
        case .unknownShortLink: "The short link is unknown"
        case .unknownUser: "The user is unknown"
        case .notFound: "There is nothing here"
        case .methodNotAllowed: "The method is not allowed"
        case .notAcceptable: "No acceptable representation"
        case .unsupportedMediaType: "The media type is not supported"
        case .versionMismatch: "The version does not match"
        case .nameTaken: "The name is another short link's"
        case .codeTaken: "The code is another short link's"
        case .tooManyLabels: "There are too many labels"
        case .requestInProgress: "The request is being worked on"
        case .idempotencyKeyReused: "The key stands for another request"
        case .bodyTooLarge: "The body is too large"
        case .uriTooLong: "The request target is too long"
        case .headersTooLarge: "The header fields are too large"
        case .misdirectedRequest: "The host is not served here"
        case .invalidParameter: "A parameter of the link is invalid"
        case .conflictingDestinations: "The link opens conflicting destinations"
        case .tooDeep: "The link is too deep"
        case .noLink: "The stack has no link"
        case .tooManyRequests: "The caller sends too many requests"
        case .userStateUnavailable: "User states are unavailable"
        case .outcomeUnknown: "Nobody knows whether the change was made"
        case .overloaded: "The server takes on nothing more"
        case .internal: "The server failed"
        }
    }
}
