package import DeepLinkCore

/// What a request has to show who sends it.
package enum Credentials {
    /// Nobody needs any.
    case notNeeded

    /// There are none, and there need not be any for nobody in particular.
    case absent

    /// The token of a service, which may be used.
    case service(ServiceToken)

    /// The token of an end user, still to be verified.
    case endUser(String)
}
