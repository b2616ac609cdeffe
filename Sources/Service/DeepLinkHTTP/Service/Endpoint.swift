import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import DeepLinkStorage
import HTTPServer
import HTTPTypes

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
