package import DeepLinkCore
package import DeepLinkUsers

/// One user's state: the fields that are stored, as they were written, and beside them the level that counts now.
///
/// Writing the fields back gives the same grant, whether or not its end has come.
package struct UserBody: WireBody {
    private let state: UserState
    private let time: Timestamp
    private let isApplied: Bool

    /// Shows a state with the level that counts at a moment, and whether the write that it answers has changed it.
    package init(_ state: UserState, at time: Timestamp, isApplied: Bool = true) {
        self.state = state
        self.time = time
        self.isApplied = isApplied
    }

    /// Writes the body as JSON.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.key("id")
            writer.string(state.id.text)
            writer.grant(state.grant)
            writer.key("currentLevel")
            writer.string(state.level(at: time).name)
            writer.key("version")
            writer.number(state.version)
            writer.key("updatedAt")
            writer.string(state.updatedAt.rfc3339)
            if !isApplied {
                writer.key("applied")
                writer.value(.bool(false))
            }
        }
    }
}

/// The answer to a late write of a user whose state was deleted since.
package struct NoUserBody: WireBody {
    private let id: UserID

    /// Shows that a user has no state.
    package init(_ id: UserID) {
        self.id = id
    }

    /// Writes the body as JSON.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.key("id")
            writer.string(id.text)
            writer.key("currentLevel")
            writer.string(AuthorizationLevel.none.name)
            writer.key("applied")
            writer.value(.bool(false))
        }
    }
}

extension JSONWriter {
    /// Writes the members that say a level and how long it holds; a deletion has none but a null.
    mutating func grant(_ grant: LevelGrant?) {
        key("authorizationLevel")
        string(grant?.level.name)
        if let validUntil = grant?.validUntil {
            key("validUntil")
            string(validUntil.rfc3339)
        }
        if let levelAfter = grant?.levelAfter {
            key("levelAfter")
            string(levelAfter.name)
        }
    }
}
