import HTTPTypes
import Hummingbird

/// Is one thing the API does: a method, a path, and the function that answers.
struct Endpoint {
    let method: HTTPRequest.Method

    /// The path in Hummingbird's notation, such as `/v1/users/{id}`.
    let path: String

    /// Whether the answer is the same for everyone, so that no `Host` needs to be checked.
    var isPublic = false

    let respond: @Sendable (Request, BasicRequestContext) async throws -> Response

    /// Tells whether a request's path is this endpoint's, whatever the method.
    func matches(_ path: some StringProtocol) -> Bool {
        let pattern = self.path.split(separator: "/")
        let segments = path.split(separator: "/")
        return pattern.count == segments.count
            && zip(pattern, segments).allSatisfy { $0 == $1 || $0.hasPrefix("{") }
    }
}
