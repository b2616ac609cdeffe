import DeepLinkCore
import HTTPTypes

/// The endpoints of an API, by path and method.
///
/// A class, since each head is read with it: that counts one reference.
package final class EndpointTable: Sendable {
    /// The endpoints with paths of their own.
    let endpoints: [Endpoint]

    /// The endpoint of web links, which have all other paths.
    let webLink: Endpoint

    /// Creates a table of endpoints.
    init(_ endpoints: [Endpoint], webLink: Endpoint) {
        self.endpoints = endpoints
        self.webLink = webLink
    }

    private static let slash = UInt8(ascii: "/")

    /// Returns the endpoint of a path; `HEAD` is `GET` (RFC 9110 §9.3.2), and empty segments mean nothing.
    ///
    /// A path that no endpoint has is a web link's, unless the server reserves it.
    func destination(of path: Substring, by method: HTTPRequest.Method) -> RequestDestination {
        let wanted = method == .head ? .get : method
        var path = Self.withoutEmptySegments(path)
        let found = path.withUTF8 { bytes -> (Endpoint, Range<Int>)? in
            for endpoint in endpoints where endpoint.method == wanted {
                if let name = endpoint.match(bytes) { return (endpoint, name) }
            }
            return nil
        }
        if let (endpoint, name) = found {
            guard !name.isEmpty else { return RequestDestination(endpoint: endpoint) }
            let start = path.utf8.index(path.startIndex, offsetBy: name.lowerBound)
            let parameter = path[start..<path.utf8.index(start, offsetBy: name.count)]
            return RequestDestination(endpoint: endpoint, parameter: parameter)
        }
        let methods = path.withUTF8 { bytes in endpoints.filter { $0.match(bytes) != nil }.map(\.method) }
        guard methods.isEmpty else { return RequestDestination(endpoint: .otherMethod(allowed: methods)) }
        let first = path.utf8.split(separator: Self.slash, maxSplits: 1).first.map { Substring($0) }
        if let first, ReservedPath.contains(first) { return RequestDestination(endpoint: .reserved) }
        return RequestDestination(endpoint: wanted == .get ? webLink : .webLinkWithOtherMethod)
    }

    /// Returns a path as it is, but for the slashes that begin empty segments, of which most paths have none.
    private static func withoutEmptySegments(_ path: Substring) -> Substring {
        var path = path
        let isOdd = path.withUTF8 { bytes in
            var last: UInt8 = 0
            for byte in bytes {
                if byte == slash, last == slash { return true }
                last = byte
            }
            return last == slash
        }
        guard isOdd else { return path }
        return Substring("/" + path.utf8.split(separator: slash).map { String(Substring($0)) }.joined(separator: "/"))
    }
}

/// The endpoint that a request's method and path lead to.
struct RequestDestination: Sendable {
    /// The endpoint; every path has one.
    let endpoint: Endpoint

    /// The text in place of the name in the endpoint's path; `nil` for a path without one.
    var parameter: Substring?
}
