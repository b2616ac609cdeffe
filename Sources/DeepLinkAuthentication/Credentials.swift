package import DeepLinkCore

/// What a request has to show who sends it.
package enum Credentials {
    /// Nobody needs any.
    case notNeeded

    /// The token of a service, which may be used.
    case service(ServiceToken)

    /// The token of an end user, still to be verified.
    case endUser(String)
}
