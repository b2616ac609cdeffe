import DeepLinkCore
import HTTPTypes

/// What an API does, by path and method.
package struct EndpointTable: Sendable {
    /// Everything this API does.
    package static let all = EndpointTable(
        ResolveEndpoint.endpoints + BatchEndpoint.endpoints + ContinuationEndpoint.endpoints + LinksEndpoint.endpoints
            + CatalogEndpoint.endpoints + UserEndpoint.endpoints + HealthEndpoint.endpoints + OpenAPIEndpoint.endpoints
    )

    /// The endpoints.
    let endpoints: [Endpoint]

    /// Puts endpoints together.
    init(_ endpoints: [Endpoint]) {
        self.endpoints = endpoints
    }

    private static let slash = UInt8(ascii: "/")

    /// Finds what a path belongs to; `HEAD` is `GET` (RFC 9110 §9.3.2), and empty segments mean nothing.
    func destination(of path: Substring, _ method: HTTPRequest.Method) -> RequestDestination {
        let wanted = method == .head ? .get : method
        let path = Self.withoutEmptySegments(path)
        var methods: [HTTPRequest.Method] = []
        for endpoint in endpoints {
            guard let parameter = endpoint.match(path) else { continue }
            if endpoint.method == wanted { return .endpoint(endpoint, parameter: parameter) }
            methods.append(endpoint.method)
        }
        guard methods.isEmpty else { return .otherMethod(methods) }
        let first = path.utf8.split(separator: Self.slash, maxSplits: 1).first.map { Substring($0) }
        return first.map { ReservedPath.contains($0) } == true ? .reserved : .webLink
    }

    /// Returns a path as it is, but for the slashes that begin empty segments, of which most paths have none.
    private static func withoutEmptySegments(_ path: Substring) -> Substring {
        var isOdd = false
        var last: UInt8 = 0
        for byte in path.utf8 {
            isOdd = isOdd || byte == slash && last == slash
            last = byte
        }
        guard isOdd || last == slash else { return path }
        return Substring("/" + path.utf8.split(separator: slash).map { String(Substring($0)) }.joined(separator: "/"))
    }
}
