import DeepLinkCore
import HTTPTypes

/// The endpoints of the API, by path and method.
///
/// It is a class, so that passing it on counts one reference instead of one for each part.
package final class EndpointTable: Sendable {
    /// The endpoints with their own paths.
    let endpoints: [Endpoint]

    /// The endpoint of web links, for all other paths.
    let webLink: Endpoint

    /// The first segments of the paths that cannot be web links: the endpoints' own and reserved ones.
    private let ownSegments: [[UInt8]]

    /// The endpoints with paths without names, by the length of the path.
    ///
    /// They serve most requests.
    private let exactPaths: [[Endpoint]]

    /// Creates a table of endpoints.
    init(_ endpoints: [Endpoint], webLink: Endpoint) {
        self.endpoints = endpoints
        self.webLink = webLink
        let segments = endpoints.map { Self.firstSegment($0.path[...]) } + ReservedPath.segments.map { Substring($0) }
        ownSegments = segments.map { Array($0.utf8) }
            .reduce(into: []) { found, segment in if !found.contains(segment) { found.append(segment) } }
        exactPaths = endpoints.filter { Self.isExact($0, among: endpoints) }
            .reduce(into: []) { found, endpoint in
                let count = endpoint.path.utf8.count
                while found.count <= count { found.append([]) }
                found[count].append(endpoint)
            }
    }

    /// Returns whether an endpoint has a path without a name that no endpoint before it matches.
    private static func isExact(_ endpoint: Endpoint, among endpoints: [Endpoint]) -> Bool {
        var path = endpoint.path
        return path.withUTF8 { bytes in
            guard endpoint.match(bytes)?.isEmpty == true, !hasEmptySegments(bytes.span) else { return false }
            return endpoints.first { $0.method == endpoint.method && $0.match(bytes) != nil } === endpoint
        }
    }

    private static let slash = UInt8(ascii: "/")

    /// Returns the endpoint of a path.
    ///
    /// `HEAD` counts as `GET` (RFC 9110 §9.3.2), and empty segments are ignored.
    ///
    /// A path without an endpoint is a web link's, unless the server reserves it.
    ///
    /// - Parameters:
    ///   - target: the target of the request.
    ///   - pathByteCount: the length of the path, with which the target begins.
    ///   - method: the method.
    /// - Returns: the endpoint, with the text in place of the name in its path.
    /// - Complexity: linear in the path, and in the number of endpoints for a path with a name.
    func destination(
        of target: String,
        pathByteCount: Int,
        by method: HTTPRequest.Method
    ) -> RequestDestination {
        let wanted = method == .head ? .get : method
        let path = target.utf8Span.span.extracting(first: pathByteCount)
        if path.count < exactPaths.count {
            for endpoint in exactPaths[path.count] where endpoint.method == wanted && endpoint.hasPath(path) {
                return RequestDestination(endpoint: endpoint)
            }
        }
        if !Self.hasEmptySegments(path), !isOwn(firstSegmentOf: path) {
            return RequestDestination(endpoint: wanted == .get ? webLink : .webLinkWithOtherMethod)
        }
        return destination(of: target[..<target.utf8.index(target.startIndex, offsetBy: pathByteCount)], by: wanted)
    }

    private func destination(of path: Substring, by wanted: HTTPRequest.Method) -> RequestDestination {
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

    /// Returns whether a first segment belongs to an endpoint, or is reserved.
    private func isOwn(_ segment: Substring) -> Bool {
        var segment = segment
        return segment.withUTF8 { isOwn($0.span) }
    }

    private func isOwn(firstSegmentOf path: Span<UInt8>) -> Bool {
        var end = min(1, path.count)
        while end < path.count, path[end] != Self.slash { end &+= 1 }
        return isOwn(path.extracting(min(1, path.count)..<end))
    }

    private func isOwn(_ segment: Span<UInt8>) -> Bool {
        for own in ownSegments where own.count == segment.count && own.hasSameBytes(as: segment) { return true }
        return false
    }

    /// Returns a path without the slashes of empty segments.
    ///
    /// Most paths have none.
    private static func withoutEmptySegments(_ path: Substring) -> Substring {
        var path = path
        guard path.withUTF8({ hasEmptySegments($0.span) }) else { return path }
        return Substring("/" + path.utf8.split(separator: slash).map { String(Substring($0)) }.joined(separator: "/"))
    }

    private static func hasEmptySegments(_ path: Span<UInt8>) -> Bool {
        var last: UInt8 = 0
        for index in path.indices {
            let byte = path[index]
            if byte == slash, last == slash { return true }
            last = byte
        }
        return last == slash
    }
}

/// The endpoint for a request's method and path.
struct RequestDestination: Sendable {
    /// The endpoint.
    ///
    /// Every path has one.
    let endpoint: Endpoint

    /// The text in place of the name in the endpoint's path, or `nil` for a path without one.
    var parameter: Substring?
}
