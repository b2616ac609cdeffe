/// The origin of a request in the audit log.
package struct AuditOrigin: Hashable, Sendable {
    /// The address of the connection's other end; `nil` if unknown.
    package let peer: String?

    /// The address of the client as a trusted proxy states it; `nil` without one.
    package let forwarded: String?

    /// Creates an origin from its parts.
    package init(peer: String? = nil, forwarded: String? = nil) {
        self.peer = peer
        self.forwarded = forwarded
    }

    /// Whether nothing is known of the origin.
    package var isUnknown: Bool { peer == nil && forwarded == nil }
}
