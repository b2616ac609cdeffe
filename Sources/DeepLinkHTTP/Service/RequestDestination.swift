import HTTPTypes

/// The part of the service that a request's path belongs to.
enum RequestDestination: Sendable {
    /// An endpoint, with what stands for the name in its path.
    case endpoint(Endpoint, parameter: Substring?)

    /// A path of endpoints that take these methods, and not that of the request.
    case otherMethod([HTTPRequest.Method])

    /// A path that the server keeps for itself, and has nothing at.
    case reserved

    /// Any other path: that of a web link.
    case webLink

    /// The endpoint; `nil` where the path belongs to none.
    var endpoint: Endpoint? { if case .endpoint(let endpoint, _) = self { endpoint } else { nil } }

    /// The name by which observers know the destination.
    var name: String {
        switch self {
        case .endpoint(let endpoint, _): endpoint.name
        case .otherMethod: "other method"
        case .reserved: "not found"
        case .webLink: "web link"
        }
    }

    /// The path of the endpoint, with the name in it; else the name of the destination.
    var template: String { endpoint?.path ?? name }
}
