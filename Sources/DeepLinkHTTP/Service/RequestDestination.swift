/// The endpoint that a request's method and path lead to.
struct RequestDestination: Sendable {
    /// The endpoint; every path has one.
    let endpoint: Endpoint

    /// The text in place of the name in the endpoint's path; `nil` for a path without one.
    var parameter: Substring?
}
