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

    /// The first segments of the paths that are no web link's: of the endpoints, and reserved ones.
    private let ownSegments: [[UInt8]]

    /// Creates a table of endpoints.
    init(_ endpoints: [Endpoint], webLink: Endpoint) {
        self.endpoints = endpoints
        self.webLink = webLink
        let segments = endpoints.map { Self.firstSegment($0.path[...]) } + ReservedPath.segments.map { Substring($0) }
        ownSegments = segments.map { Array($0.utf8) }
            .reduce(into: []) { found, segment in if !found.contains(segment) { found.append(segment) } }
    }

    private static let slash = UInt8(ascii: "/")

    /// Returns the endpoint of a path; `HEAD` is `GET` (RFC 9110 §9.3.2), and empty segments mean nothing.
    ///
    /// A path that no endpoint has is a web link's, unless the server reserves it.
    func destination(of path: Substring, by method: HTTPRequest.Method) -> RequestDestination {
        let wanted = method == .head ? .get : method
        var path = Self.withoutEmptySegments(path)
        let first = Self.firstSegment(path)
        guard isOwn(first) else {
            return RequestDestination(endpoint: wanted == .get ? webLink : .webLinkWithOtherMethod)
        }
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
        if ReservedPath.contains(first) { return RequestDestination(endpoint: .reserved) }
        return RequestDestination(endpoint: wanted == .get ? webLink : .webLinkWithOtherMethod)
    }

    /// Returns the text between the first two slashes.
    private static func firstSegment(_ path: Substring) -> Substring {
        let rest = path.utf8.dropFirst()
        return Substring(rest[..<(rest.firstIndex(of: slash) ?? rest.endIndex)])
    }

    /// Returns whether paths with a first segment may be those of endpoints, or are reserved.
    private func isOwn(_ segment: Substring) -> Bool {
        var segment = segment
        return segment.withUTF8 { bytes in
            ownSegments.contains { $0.count == bytes.count && bytes.elementsEqual($0) }
        }
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
