package import DeepLinkStorage

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
