package import DeepLinkCore
package import DeepLinkUsers

/// One user's state: the fields that are stored, as they were written, and beside them the level that counts now.
///
/// Writing the fields back gives the same grant, whether or not its end has come.
package struct UserBody: WireBody {
    private let state: UserState
    private let time: Timestamp
    private let isApplied: Bool
    private let levels: LevelLadder

    /// Shows a state with the level of a ladder that counts at a moment, and whether the write that it answers has changed it.
    package init(_ state: UserState, at time: Timestamp, isApplied: Bool = true, levels: LevelLadder) {
        self.state = state
        self.time = time
        self.isApplied = isApplied
        self.levels = levels
    }

    /// Writes the body as JSON.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.key("id")
            writer.string(state.id.text)
            writer.grant(state.grant, levels: levels)
            writer.key("currentLevel")
            writer.string(levels.text(of: state.level(at: time, in: levels)))
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
    private let levels: LevelLadder

    /// Shows that a user has no state.
    package init(_ id: UserID, levels: LevelLadder) {
        self.id = id
        self.levels = levels
    }

    /// Writes the body as JSON.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.key("id")
            writer.string(id.text)
            writer.key("currentLevel")
            writer.string(levels.text(of: .lowest))
            writer.key("applied")
            writer.value(.bool(false))
        }
    }
}

extension JSONWriter {
    /// Writes the members that say a level and how long it holds; a deletion has none but a null.
    ///
    /// A former name of a level is written as the present one.
    mutating func grant(_ grant: LevelGrant?, levels: LevelLadder) {
        key("authorizationLevel")
        string((grant?.level).map { levels.presentName(of: $0).text })
        if let validUntil = grant?.validUntil {
            key("validUntil")
            string(validUntil.rfc3339)
        }
        if let levelAfter = grant?.levelAfter {
            key("levelAfter")
            string(levels.presentName(of: levelAfter).text)
        }
    }
}
