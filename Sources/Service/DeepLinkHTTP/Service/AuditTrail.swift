package import DeepLinkAuthentication
import DeepLinkCore
package import DeepLinkReporting
import DeepLinkStorage
import HTTPServer
import NIOCore

/// The audit log for endpoints.
///
/// It adds the caller, the origin and the request id to each line.
package struct AuditTrail: Sendable {
    /// No audit log.
    package static let none = AuditTrail()

    private let log: (any AuditLog)?
    private let tokens: ServiceTokens?

    private init() { (log, tokens) = (nil, nil) }

    /// Creates the writer for a log.
    ///
    /// - Parameters:
    ///   - log: The log.
    ///   - tokens: The service tokens. Their notes name their holders.
    package init(_ log: any AuditLog, tokens: ServiceTokens) {
        (self.log, self.tokens) = (log, tokens)
    }

    /// Whether there is an audit log.
    var isKept: Bool { log != nil }

    /// Writes lines that are not caused by a request.
    package func note(_ entries: [AuditEntry]) async { await log?.write(entries) }

    /// Writes the lines of changes of users, or nothing if there are none.
    func note(_ action: AuditAction, _ changes: [AuditedChange], of call: EndpointRequest, at time: Timestamp) async {
        guard let log, !changes.isEmpty else { return }
        let (actor, origin) = (actor(of: call.caller), AuditOrigin(of: call))
        await log.write(
            changes.map { AuditEntry(action, $0, at: time, by: actor, from: origin, requestID: call.head.id) }
        )
    }

    /// Writes the line of a change of a user, or nothing if nothing has changed.
    func note(_ action: AuditAction, _ change: AuditedChange?, of call: EndpointRequest, at time: Timestamp) async {
        await note(action, change.map { [$0] } ?? [], of: call, at: time)
    }

    /// Writes the lines of changes of short links, or nothing if there are none.
    func note(_ saved: [SavedShortLink], of call: EndpointRequest, at time: Timestamp) async {
        guard let log, !saved.isEmpty else { return }
        // An end user's address would identify the person after an erasure.
        let origin = call.caller.endUserID == nil ? AuditOrigin(of: call) : AuditOrigin()
        await log.write(
            saved.compactMap { saved in
                let actor = actor(of: call.caller, names: saved.auditNames)
                return AuditEntry(saved, at: time, by: actor, from: origin, requestID: call.head.id)
            }
        )
    }

    /// Returns the author of a caller's changes.
    ///
    /// - Parameters:
    ///   - caller: The caller.
    ///   - names: The names in the log of the users that a change is about. End users only change their own data.
    /// - Returns: The author.
    func actor(of caller: Caller, names: [UserID: AuditName] = [:]) -> AuditActor {
        switch caller {
        case .anyone, .anonymous: AuditActor(.anyone)
        case .service(let id, _), .granter(let id, _): .token(id, note: tokens?.note(of: id))
        case .person(let person): AuditActor(.person, id: person.subject, name: person.name)
        case .endUser(let user): AuditActor(.user, id: names[user.id]?.text)
        }
    }
}

extension AuditOrigin {
    /// Creates the origin of a request: the connection's peer, and the address that it states if it is a nearby proxy.
    init(of call: EndpointRequest) {
        self.init(
            peer: call.peer?.ipAddress,
            forwarded: CallerAddress.forwarded(by: call.peer, forwardedFor: call.head.fields.forwardedFor)
        )
    }
}
