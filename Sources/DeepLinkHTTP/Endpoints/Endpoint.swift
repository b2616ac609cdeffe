import DeepLinkAuthentication
import HTTPTypes
import Hummingbird

/// Is one thing the API does: a method, a path, what it takes, who may ask, and the function that answers.
struct Endpoint {
    /// Says what the body of a request to an endpoint is.
    enum Body {
        /// Nothing; what is sent is not read.
        case none

        /// One JSON object with keys among these.
        case object(keys: [String])

        /// One JSON object a line, read while the answer is written.
        case lines
    }

    let method: HTTPRequest.Method

    /// The path in Hummingbird's notation, such as `/v1/users/{id}`.
    let path: String

    /// Who may call the endpoint.
    let access: Access

    /// The names that its query may have.
    var query: [String] = []

    /// What its body is.
    var body = Body.none

    let respond: @Sendable (Call) async throws -> Response

    /// Tells whether a request's path is this endpoint's, whatever the method.
    func matches(_ path: some StringProtocol) -> Bool {
        let slash = UInt8(ascii: "/")
        let pattern = self.path.utf8.split(separator: slash)
        let segments = path.utf8.split(separator: slash)
        return pattern.count == segments.count
            && zip(pattern, segments).allSatisfy { $0.elementsEqual($1) || $0.first == UInt8(ascii: "{") }
    }
}
