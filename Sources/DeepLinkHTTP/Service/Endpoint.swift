import DeepLinkAuthentication
import DeepLinkFormats
import HTTPTypes

/// One thing the API does: a method, a path, who may call it, what it takes and gives, and the function that answers.
///
/// A class, since each request holds the one that it is for.
final class Endpoint: Sendable {
    /// The body of a request to an endpoint.
    enum Body {
        /// Nothing; what is sent is not read.
        case none

        /// One JSON object with keys among these.
        case object(keys: [String])

        /// Bytes of a type, which the endpoint reads.
        case bytes(MediaType)

        /// One JSON object a line, read while the answer is written.
        case lines
    }

    /// The way in which an endpoint answers.
    enum Answer: Sendable {
        /// There is nothing to wait for: the answer is given on the event loop.
        case atOnce(@Sendable (EndpointRequest) throws(Problem) -> EndpointResponse)

        /// The answer is given on the event loop, where a user's level may be awaited; behind an answer that waits for more,
        /// it is given later.
        case atOnceOrLater(
            @Sendable (EndpointRequest) throws(Problem) -> PromptAnswer,
            @Sendable (EndpointRequest) async throws(Problem) -> EndpointResponse
        )

        /// The answer waits for something, or takes long.
        case later(@Sendable (EndpointRequest) async throws -> EndpointResponse)
    }

    let method: HTTPRequest.Method

    /// The path in Hummingbird's notation, such as `/v1/users/{id}`, with at most one name.
    let path: String

    /// The name by which observers know the endpoint, such as `GET /v1/users/{id}`.
    let name: String

    /// Who may call the endpoint.
    let access: Access

    /// The names that its query may have.
    let query: [String]

    /// What its body is.
    let body: Body

    /// The type of its answers, but for problems.
    let produces: MediaType

    /// Whether it answers whatever `Accept` allows: phones and browsers ask for what they need by its path.
    let ignoresAccept: Bool

    /// How it answers.
    let answer: Answer

    /// What stands before the name of the path, and after it; `nil` after a path without one.
    private let pattern: (prefix: [UInt8], suffix: [UInt8]?)

    init(
        _ method: HTTPRequest.Method,
        _ path: String,
        access: Access,
        query: [String] = [],
        body: Body = .none,
        produces: MediaType = .json,
        ignoresAccept: Bool = false,
        _ answer: Answer
    ) {
        self.method = method
        self.path = path
        name = "\(method.rawValue) \(path)"
        self.access = access
        self.query = query
        self.body = body
        self.produces = produces
        self.ignoresAccept = ignoresAccept
        self.answer = answer
        let parts = path.utf8.split(separator: UInt8(ascii: "{"), maxSplits: 1)
        let suffix = parts.count > 1 ? Array(parts[1].drop { $0 != UInt8(ascii: "}") }.dropFirst()) : nil
        pattern = (Array(parts[0]), suffix)
    }

    /// Returns where the name stands in a path of this endpoint, whatever the method; `nil` for another path.
    ///
    /// - Returns: an empty range at the end for a path without a name.
    func match(_ path: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
        let prefix = pattern.prefix
        guard let suffix = pattern.suffix else {
            return path.count == prefix.count && path.elementsEqual(prefix) ? path.count..<path.count : nil
        }
        guard path.count > prefix.count + suffix.count else { return nil }
        let name = prefix.count..<path.count - suffix.count
        guard path.starts(with: prefix),
            path.suffix(suffix.count).elementsEqual(suffix), !path[name].contains(UInt8(ascii: "/"))
        else { return nil }
        return name
    }
}
