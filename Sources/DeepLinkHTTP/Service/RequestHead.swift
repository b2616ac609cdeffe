import DeepLinkCore
import HTTPTypes
import NIOCore

/// The head of a request, read once: its target, and the fields that the server reads.
///
/// A class, since it is passed on several times: that counts one reference.
final class RequestHead: Sendable {
    /// The method.
    let method: HTTPRequest.Method

    /// The path with its query, beginning with a slash, in ASCII; `*` for `OPTIONS` of the server itself.
    let target: String

    /// The fields.
    let fields: RequestFields

    /// The endpoint that the method and the path lead to.
    let destination: RequestDestination

    /// The id of the request, the client's own or a new one.
    let id: String

    /// The time when the head had arrived.
    let arrival: NIODeadline

    init(
        _ method: HTTPRequest.Method,
        _ target: String,
        fields: RequestFields,
        id: String,
        of table: EndpointTable,
        arrival: NIODeadline = .now()
    ) {
        self.method = method
        self.target = target
        self.fields = fields
        self.id = id
        self.arrival = arrival
        destination = table.destination(of: Self.path(of: target), by: method)
    }

    /// The path, without the query.
    var path: Substring { Self.path(of: target) }

    /// The query as sent, without its question mark; empty where there is none.
    var query: Substring {
        target.utf8.firstIndex(of: UInt8(ascii: "?")).map { target[target.utf8.index(after: $0)...] } ?? ""
    }

    /// Whether the request only reads, by `GET` or `HEAD`.
    var isRead: Bool { method == .get || method == .head }

    /// Whether the body is lines, each of which is a request by itself.
    var takesLines: Bool {
        if case .lines = destination.endpoint.body { true } else { false }
    }

    private static func path(of target: String) -> Substring {
        target[..<(target.utf8.firstIndex(of: UInt8(ascii: "?")) ?? target.endIndex)]
    }
}
