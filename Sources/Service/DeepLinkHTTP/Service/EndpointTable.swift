import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import DeepLinkStorage
import HTTPServer
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

/// An operation of the API: a method, a path, its callers, its body and response type, and its handler.
///
/// It is a class, since each request holds a reference to its endpoint.
final class Endpoint: Sendable {
    /// The body of a request to an endpoint.
    enum Body: Sendable {
        /// No body. A body that is sent is not read.
        case none

        /// One JSON object, with these keys allowed.
        case object(keys: [String])

        /// One JSON object, with these keys allowed, or no body.
        case fields(keys: [String])

        /// Bytes of a type, parsed by the endpoint.
        case bytes(MediaType)

        /// One JSON object a line, read while the response is written.
        case lines

        /// One JSON object with these keys allowed, or one a line, depending on the content type.
        case objectOrLines(keys: [String])
    }

    /// The function that answers.
    enum Handler: Sendable {
        /// Answers on the event loop. Only a store may have to be waited for.
        case atOnce(@Sendable (EndpointRequest) throws(Problem) -> Answer<EndpointResponse>)

        /// Answers in a task, since the answer waits for something else, or takes long.
        case later(@Sendable (EndpointRequest) async throws -> EndpointResponse)

        /// Answers on the event loop, and waits for nothing.
        static func ready(
            _ respond: @escaping @Sendable (EndpointRequest) throws(Problem) -> EndpointResponse
        ) -> Handler {
            .atOnce { call throws(Problem) in .ready(try respond(call)) }
        }

        /// Answers in a task, for both kinds of handlers.
        func respond(to call: EndpointRequest) async throws -> EndpointResponse {
            switch self {
            case .atOnce(let respond): try await respond(call).value
            case .later(let respond): try await respond(call)
            }
        }
    }

    /// The hosts at which an endpoint responds.
    enum Hosts: Sendable {
        /// Any host.
        case any

        /// The hosts of the API, by ``HostPolicy/check(_:)``.
        case api

        /// The hosts of https origins, by ``HostPolicy/linkHost(for:isRead:)``.
        case links
    }

    let method: HTTPRequest.Method

    /// The path, such as `/v1/users/{id}`, with at most two names, or a phrase for an endpoint of several paths.
    let path: String

    /// The name for observers, such as `GET /v1/users/{id}`.
    let name: String

    /// The callers that may use the endpoint.
    let access: Access

    /// The hosts at which it responds.
    let hosts: Hosts

    /// The names that its query may have, or `nil` if the query belongs to a link or a provider, and is not parsed as a
    /// form here.
    let query: [String]?

    /// The body of its requests.
    let body: Body

    /// The type of its responses, except for problems.
    let produces: MediaType

    /// Whether it ignores `Accept`, since phones and browsers expect a known type at its path.
    let ignoresAccept: Bool

    /// Whether its requests count against the limit of their address, although everyone may send them.
    let isLimited: Bool

    /// The function that responds.
    let handler: Handler

    /// The text before the first name in the path, between two names, and after the last, each `nil` if it does not
    /// exist.
    private let pattern: (prefix: [UInt8], middle: [UInt8]?, suffix: [UInt8]?)

    init(
        _ method: HTTPRequest.Method,
        _ path: String,
        access: Access,
        query: [String]? = [],
        body: Body = .none,
        produces: MediaType = .json,
        ignoresAccept: Bool = false,
        isLimited: Bool = false,
        handler: Handler
    ) {
        self.method = method
        self.path = path
        name = "\(method.rawValue) \(path)"
        self.access = access
        hosts = access == .everyone ? .any : .api
        self.query = query
        self.body = body
        self.produces = produces
        self.ignoresAccept = ignoresAccept
        self.isLimited = isLimited
        self.handler = handler
        let parts = path.utf8.split(separator: UInt8(ascii: "{"))
        let ends = parts.dropFirst().map { Array($0.drop { $0 != UInt8(ascii: "}") }.dropFirst()) }
        pattern = (Array(parts[0]), ends.count > 1 ? ends[0] : nil, ends.last)
    }

    /// Creates an endpoint for all paths without an endpoint of their own.
    ///
    /// Observers know it by the name.
    init(named name: String, method: HTTPRequest.Method, access: Access, hosts: Hosts, handler: Handler) {
        self.method = method
        path = name
        self.name = name
        self.access = access
        self.hosts = hosts
        query = nil
        body = .none
        produces = .json
        ignoresAccept = false
        isLimited = false
        self.handler = handler
        pattern = ([], nil, nil)
    }

    /// Returns whether the body of a request consists of lines, each of which is a request by itself.
    func takesLines(declaredBy fields: borrowing RequestFields) -> Bool {
        switch body {
        case .lines: true
        case .objectOrLines: MediaType.ndjson.isDeclared(by: fields.contentType)
        case .none, .object, .fields, .bytes: false
        }
    }

    /// Whether the response is written once it is complete, after the whole request was read.
    var isAnsweredWhole: Bool {
        switch body {
        case .lines, .objectOrLines: false
        case .none, .object, .fields, .bytes: produces != .ndjson
        }
    }

    /// Parses a body that has arrived completely.
    ///
    /// - Throws: `Problem` with the code `invalid-request`.
    func read(_ bytes: [UInt8]) throws(Problem) -> JSONObjectBody {
        switch body {
        case .object(let keys), .objectOrLines(let keys): try JSONObjectBody(bytes, keys: keys)
        case .fields(let keys): bytes.isEmpty ? .empty : try JSONObjectBody(bytes, keys: keys)
        case .none, .bytes, .lines: .empty
        }
    }

    /// Returns whether a path is this endpoint's, if that is without a name.
    func hasPath(_ path: Span<UInt8>) -> Bool { pattern.suffix == nil && pattern.prefix.hasSameBytes(as: path) }

    /// Returns the range of the name in a path of this endpoint, for any method, or `nil` for another path.
    ///
    /// - Returns: an empty range at the end for a path without a name, or the range from the first name to the second
    ///   if there are two.
    func match(_ path: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
        let prefix = pattern.prefix
        guard let suffix = pattern.suffix else {
            return path.count == prefix.count && path.elementsEqual(prefix) ? path.count..<path.count : nil
        }
        guard path.count > prefix.count + suffix.count else { return nil }
        let name = prefix.count..<path.count - suffix.count
        guard path.starts(with: prefix), path.suffix(suffix.count).elementsEqual(suffix) else { return nil }
        let slash = path[name].firstIndex(of: UInt8(ascii: "/"))
        guard let middle = pattern.middle else { return slash == nil ? name : nil }
        guard let slash, slash > name.lowerBound, path[slash..<name.upperBound].starts(with: middle) else { return nil }
        let last = path[(slash + middle.count)..<name.upperBound]
        return last.isEmpty || last.contains(UInt8(ascii: "/")) ? nil : name
    }
}
