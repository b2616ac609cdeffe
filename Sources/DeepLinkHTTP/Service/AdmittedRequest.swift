import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats

/// What an admitted request is answered with.
struct AdmittedRequest {
    /// Who asks.
    let caller: Caller

    /// The catalog that the whole answer comes from.
    let catalog: RouteCatalog

    /// The API's own query; empty where the request is none of an endpoint.
    let query: FormQuery

    /// The host of the web link that the request is; `nil` where it is none, or the catalog has no https origin.
    let linkHost: String?

    /// The visitor who wants the page of a web link; `nil` where a program wants its plan.
    var visitor: PageVisitor?
}
