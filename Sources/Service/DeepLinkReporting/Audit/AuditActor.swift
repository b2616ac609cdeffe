package import DeepLinkStorage

/// The author of a change in the audit log.
package struct AuditActor: Hashable, Sendable {
    /// A kind of author.
    package enum Kind: String, CaseIterable, Sendable {
        /// The holder of a service token, by its id and its note.
        case token

        /// An end user, by the name in the log.
        case user

        /// A person who is logged in, by an identity provider's subject and name.
        case person

        /// A command on the machine, by the system's user.
        case commandLine = "command line"

        /// The service itself, by the cause.
        case service

        /// A caller of a service that asks for no credentials.
        case anyone
    }

    /// The kind.
    package let kind: Kind

    /// The identity among those of the kind; `nil` for none.
    package let id: String?

    /// The name for people; `nil` for none.
    package let name: String?

    /// Creates an author from its parts; empty texts count as none.
    package init(_ kind: Kind, id: String? = nil, name: String? = nil) {
        self.kind = kind
        self.id = id.flatMap { $0.isEmpty ? nil : $0 }
        self.name = name.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Creates the author who holds a service token.
    package static func token(_ id: ServiceTokenID, note: String?) -> AuditActor {
        AuditActor(.token, id: id.text, name: note)
    }
}
