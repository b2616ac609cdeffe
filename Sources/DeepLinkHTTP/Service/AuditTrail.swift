package import DeepLinkAuthentication
import DeepLinkCore
package import DeepLinkReporting
package import DeepLinkUsers
import NIOCore

/// The audit log as endpoints write it: each line with the caller, the origin and the id of the request.
package struct AuditTrail: Sendable {
    /// No audit log.
    package static let none = AuditTrail()

    private let log: (any AuditLog)?
    private let names: (any AuditNameStore)?
    private let tokens: ServiceTokens?

    private init() { (log, names, tokens) = (nil, nil, nil) }

    /// Creates the writer of a log.
    ///
    /// - Parameters:
    ///   - log: The log.
    ///   - names: The names of users in the log.
    ///   - tokens: The service tokens, whose notes name their holders.
    package init(_ log: any AuditLog, names: any AuditNameStore, tokens: ServiceTokens) {
        (self.log, self.names, self.tokens) = (log, names, tokens)
    }

    /// Whether there is a log.
    var isKept: Bool { log != nil }

    /// Writes lines that no request causes.
    package func note(_ entries: [AuditEntry]) async { await log?.write(entries) }

    /// Writes the lines of changes of users; where nothing has changed, there is none.
    func note(_ action: AuditAction, _ changes: [AuditedChange], of call: EndpointRequest, at time: Timestamp) async {
        guard let log, !changes.isEmpty else { return }
        let (actor, origin) = (await actor(of: call.caller), AuditOrigin(of: call))
        await log.write(
            changes.map { AuditEntry(action, $0, at: time, by: actor, from: origin, requestID: call.head.id) }
        )
    }

    /// Writes the line of a change of a user, if anything has changed.
    func note(_ action: AuditAction, _ change: AuditedChange?, of call: EndpointRequest, at time: Timestamp) async {
        await note(action, change.map { [$0] } ?? [], of: call, at: time)
    }

    /// Returns the author of a caller's changes.
    ///
    /// An end user's name is made where there is none, and left out where the store fails: call this before the change,
    /// for callers that may be end users.
    func actor(of caller: Caller) async -> AuditActor {
        switch caller {
        case .anyone, .anonymous: AuditActor(.anyone)
        case .service(let id, _), .granter(let id, _): .token(id, note: tokens?.note(of: id))
        case .endUser(let user): AuditActor(.user, id: await name(of: user.id)?.text)
        }
    }

    /// Returns the name of a user in the log, and makes one if there is none; `nil` without a user, or if the store fails.
    func name(of user: UserID?) async -> AuditName? {
        guard let user else { return nil }
        return try? await names?.makeAuditName(of: user)
    }
}

extension AuditOrigin {
    /// Creates the origin of a request: the connection's peer, and if that is a proxy nearby, the address that it states.
    init(of call: EndpointRequest) {
        self.init(
            peer: call.peer?.ipAddress,
            forwarded: CallerAddress.forwarded(by: call.peer, forwardedFor: call.head.fields.forwardedFor)
        )
    }
}
