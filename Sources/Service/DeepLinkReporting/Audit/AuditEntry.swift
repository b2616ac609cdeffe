package import DeepLinkCore
package import DeepLinkFormats
package import DeepLinkStorage

/// A line of the audit log: one change, with its author and origin.
///
/// It contains no user ids, only names of the log (`AuditName`), no secrets, and no values of links.
package struct AuditEntry: WireBody, Sendable {
    /// The bytes at the start of every line.
    ///
    /// They distinguish it from other lines of a log.
    package static let beginning = Array("{\"audit\":\"".utf8)

    /// The object of a change.
    package enum Subject: Sendable {
        /// A user, by the name in the log.
        case user(AuditName)

        /// A service token.
        case token(ServiceTokenID)

        /// A short link. If it is about a user, the line has the user's name instead of the code.
        case shortLink(code: String?, about: AuditName?)

        /// The current catalog.
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

    /// The author of the change.
    package let actor: AuditActor

    /// The origin of the request.
    package let origin: AuditOrigin

    /// The object of the change.
    package let subject: Subject

    /// The state before the change, or `nil` for none.
    package let before: State?

    /// The state after the change, or `nil` for none.
    package let after: State?

    /// The reason, in words, or `nil` for none.
    package let reason: String?

    /// The id of the request, or an empty text without one.
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

    /// Creates the line for a change of a user.
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

    /// Writes the line as JSON, without the line feed.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.members([("audit", action.rawValue), ("time", time.rfc3339)])
            writer.member("by") { $0.members([("kind", actor.kind.rawValue), ("id", actor.id), ("name", actor.name)]) }
            if !origin.isUnknown {
                writer.member("from") { $0.members([("peer", origin.peer), ("forwarded", origin.forwarded)]) }
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
    /// Writes a member with a state, or null.
    fileprivate mutating func state(_ state: AuditEntry.State?, named name: String) {
        key(name)
        switch state {
        case nil: string(nil)
        case .access(let access)?:
            // With the names as stored, since the log outlives catalogs.
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

/// A log of changes, one line each.
package protocol AuditLog: Sendable {
    /// Writes lines, in their order.
    ///
    /// The changes are already made and remain in any case. Lines that cannot be written are counted as lost. On
    /// return, the system has the lines or they are lost, except that a log on an asynchronous stream may still hold a
    /// bounded number.
    func write(_ entries: [AuditEntry]) async
}

/// The origin of a request in the audit log.
package struct AuditOrigin: Hashable, Sendable {
    /// The address of the connection's peer, or `nil` if unknown.
    package let peer: String?

    /// The address of the client according to a trusted proxy, or `nil` without one.
    package let forwarded: String?

    /// Creates an origin from its parts.
    package init(peer: String? = nil, forwarded: String? = nil) {
        self.peer = peer
        self.forwarded = forwarded
    }

    /// Whether the origin is unknown.
    package var isUnknown: Bool { peer == nil && forwarded == nil }
}

/// A kind of change in the audit log.
package enum AuditAction: String, CaseIterable, Sendable {
    /// A user's level was set, with all grants if an import names them.
    case setUser = "user.set"

    /// A user was given a grant.
    case grant = "user.grant"

    /// A grant was taken from a user.
    case revokeGrant = "user.revoke"

    /// A user's state was deleted. The history remains.
    case deleteUser = "user.delete"

    /// All stored data of a user was erased.
    case eraseUser = "user.erase"

    /// A level was renamed in all stored users.
    case renameLevel = "user.rename-level"

    /// A service token was created.
    case createToken = "token.create"

    /// A service token was revoked.
    case revokeToken = "token.revoke"

    /// A catalog became the current one.
    case loadCatalog = "catalog.load"

    /// A catalog was refused.
    case refuseCatalog = "catalog.refuse"

    /// A short link was made.
    case makeShortLink = "short-link.make"

    /// A short link's record was replaced.
    case replaceShortLink = "short-link.replace"

    /// A short link was withdrawn.
    case withdrawShortLink = "short-link.withdraw"

    /// The database was replaced by a backup.
    case restoreDatabase = "database.restore"
}

/// The author of a change in the audit log.
package struct AuditActor: Hashable, Sendable {
    /// A kind of author.
    package enum Kind: String, CaseIterable, Sendable {
        /// The holder of a service token, by its id and its note.
        case token

        /// An end user, by the name in the log.
        case user

        /// A person logged in to the console, by an identity provider's subject and name.
        case person

        /// A command on the machine, by the system's user.
        case commandLine = "command line"

        /// The service itself, by the cause of the change.
        case service

        /// Any caller of a service without credentials.
        case anyone
    }

    /// The kind of author.
    ///
    /// It determines the meaning of the id.
    package let kind: Kind

    /// The identity within the kind, or `nil` if it has none.
    package let id: String?

    /// The display name, or `nil` if there is none.
    package let name: String?

    /// Creates an author from its parts.
    ///
    /// Empty texts count as absent.
    package init(_ kind: Kind, id: String? = nil, name: String? = nil) {
        self.kind = kind
        self.id = id.flatMap { $0.isEmpty ? nil : $0 }
        self.name = name.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Creates the author for a service token.
    package static func token(_ id: ServiceTokenID, note: String?) -> AuditActor {
        AuditActor(.token, id: id.text, name: note)
    }
}
