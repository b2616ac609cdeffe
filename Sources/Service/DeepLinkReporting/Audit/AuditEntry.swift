package import DeepLinkCore
package import DeepLinkFormats
package import DeepLinkStorage

/// A line of the audit log: one change, with its author and origin.
///
/// It has no user's id, only the name of the log (`AuditName`), no secret, and no value of a link.
package struct AuditEntry: WireBody, Sendable {
    /// The bytes with which every line begins, and by which it is told from other lines of a log.
    package static let beginning = Array("{\"audit\":\"".utf8)

    /// The object of a change.
    package enum Subject: Sendable {
        /// A user.
        case user(AuditName)

        /// A service token.
        case token(ServiceTokenID)

        /// A short link; without the code if it is about a user, who is named instead.
        case shortLink(code: String?, about: AuditName?)

        /// The catalog in force.
        case catalog

        /// The whole database.
        case database
    }

    /// The state of an object before or after a change.
    package enum State: Sendable {
        /// The level and the grants of a user.
        case access(UserAccess)

        /// Named values, in their order.
        case facts([(name: String, value: JSONValue)])
    }

    /// The kind of change.
    package let action: AuditAction

    /// The time of the change.
    package let time: Timestamp

    /// The author.
    package let actor: AuditActor

    /// The origin of the request.
    package let origin: AuditOrigin

    /// The object.
    package let subject: Subject

    /// The state before; `nil` for none.
    package let before: State?

    /// The state after; `nil` for none.
    package let after: State?

    /// The reason, in words; `nil` for none.
    package let reason: String?

    /// The id of the request; empty without one.
    package let requestID: String

    /// Creates a line from its parts.
    package init(
        _ action: AuditAction,
        of subject: Subject,
        at time: Timestamp,
        by actor: AuditActor,
        from origin: AuditOrigin = AuditOrigin(),
        before: State? = nil,
        after: State? = nil,
        reason: String? = nil,
        requestID: String = ""
    ) {
        self.action = action
        self.time = time
        self.actor = actor
        self.origin = origin
        self.subject = subject
        self.before = before
        self.after = after
        self.reason = reason
        self.requestID = requestID
    }

    /// Creates the line of a user's change.
    package init(
        _ action: AuditAction,
        _ change: AuditedChange,
        at time: Timestamp,
        by actor: AuditActor,
        from origin: AuditOrigin = AuditOrigin(),
        requestID: String = ""
    ) {
        self.init(
            action,
            of: .user(change.user),
            at: time,
            by: actor,
            from: origin,
            before: change.before.map { .access($0) },
            after: change.after.map { .access($0) },
            requestID: requestID
        )
    }

    /// Writes the line as JSON, without its end.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.members([("audit", action.rawValue), ("time", time.rfc3339)])
            writer.key("by")
            writer.object { $0.members([("kind", actor.kind.rawValue), ("id", actor.id), ("name", actor.name)]) }
            if !origin.isUnknown {
                writer.key("from")
                writer.object { $0.members([("peer", origin.peer), ("forwarded", origin.forwarded)]) }
            }
            switch subject {
            case .user(let name): writer.members([("user", name.text)])
            case .token(let id): writer.members([("token", id.text)])
            case .shortLink(let code, let about): writer.members([("shortLink", code), ("user", about?.text)])
            case .catalog, .database: break
            }
            writer.state(before, named: "before")
            writer.state(after, named: "after")
            writer.members([("reason", reason), ("requestId", requestID.isEmpty ? nil : requestID)])
        }
    }
}

extension JSONWriter {
    /// Writes the members that have a text.
    fileprivate mutating func members(_ members: [(String, String?)]) {
        for case (let name, let text?) in members {
            key(name)
            string(text)
        }
    }

    /// Writes a member with a state, or null.
    fileprivate mutating func state(_ state: AuditEntry.State?, named name: String) {
        key(name)
        switch state {
        case nil: string(nil)
        case .access(let access)?:
            // By the names that are stored: the log outlives catalogs.
            object { writer in
                if let level = access.level { writer.level(level, names: .standard) }
                writer.grants(access.grants, names: GrantNames())
            }
        case .facts(let facts)?:
            object { writer in
                for (name, value) in facts {
                    writer.key(name)
                    writer.json(value)
                }
            }
        }
    }
}

/// A log of changes, with a line for each.
package protocol AuditLog: Sendable {
    /// Writes lines, in their order.
    ///
    /// The changes are made already and stay made: lines that cannot be written are counted as lost. When this returns,
    /// the system has the lines, or they are lost; a log on a stream that nobody waits for may still hold a bounded
    /// number.
    func write(_ entries: [AuditEntry]) async
}

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
