import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats

/// The findings of an admission, from which the request is answered.
struct AdmittedRequest: Sendable {
    /// The caller.
    let caller: Caller

    /// The catalog that the whole answer comes from.
    let catalog: RouteCatalog

    /// The API's own query; empty if the request isn't to an endpoint.
    let query: FormQuery

    /// The host of the web link that the request is; `nil` if it isn't one, or if the catalog has no https origin.
    let linkHost: String?

    /// The visitor who asks for the page of a web link; `nil` if a program asks for its plan.
    var visitor: PageVisitor?
}
