package import DeepLinkCore

/// Shows one user's state.
package struct UserBody: WireBody {
    private let state: UserState
    private let level: AuthorizationLevel

    /// Shows a state with the level that counts at a moment.
    package init(_ state: UserState, at time: Timestamp) {
        self.state = state
        level = state.level(at: time)
    }

    /// Shows a state as it is stored, whether or not its end has come: reading it back gives the same grant.
    package init(stored state: UserState) {
        self.state = state
        level = state.grant.level
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.key("id")
            writer.string(state.id.text)
            writer.key("authorizationLevel")
            writer.string(level.name)
            if let validUntil = state.grant.validUntil {
                writer.key("validUntil")
                writer.string(validUntil.rfc3339)
            }
            if let levelAfter = state.grant.levelAfter {
                writer.key("levelAfter")
                writer.string(levelAfter.name)
            }
            writer.key("version")
            writer.number(state.version)
            writer.key("updatedAt")
            writer.string(state.updatedAt.rfc3339)
        }
    }
}
