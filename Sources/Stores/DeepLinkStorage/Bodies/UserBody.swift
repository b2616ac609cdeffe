package import DeepLinkCore
package import DeepLinkFormats

/// The state of one user: the stored fields, as they were written, and the current level.
///
/// Writing the fields back gives the same level, before its end and after it. Expired grants are left out.
package struct UserBody: WireBody {
    private let state: UserState
    private let time: Timestamp

    /// Whether the write that this response answers has changed the state.
    private let isApplied: Bool

    private let names: AccessNames

    /// Creates the body of a state with the level and grants of a time, by their names in the catalog.
    package init(_ state: UserState, at time: Timestamp, isApplied: Bool = true, names: AccessNames) {
        self.state = state
        self.time = time
        self.isApplied = isApplied
        self.names = names
    }

    /// Writes the body as JSON.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("id", state.id.text)
            writer.level(state.level, names: names.levels)
            writer.grants(state.access.grants(at: time), names: names.grants)
            writer.member("currentLevel", names.levels.text(of: state.level(at: time, in: names.levels)))
            writer.member("version", state.version)
            writer.member("updatedAt", state.updatedAt.rfc3339)
            if !isApplied { writer.member("applied", false) }
        }
    }
}

/// The response to a late write, after the user's state has been deleted.
package struct NoUserBody: WireBody {
    private let id: UserID
    private let levels: LevelLadder

    /// Creates the body of a user without a state.
    package init(_ id: UserID, levels: LevelLadder) {
        self.id = id
        self.levels = levels
    }

    /// Writes the body as JSON.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("id", id.text)
            writer.member("currentLevel", levels.text(of: .lowest))
            writer.member("applied", false)
        }
    }
}

extension JSONWriter {
    /// Writes the members of a level with its end.
    ///
    /// A deletion is written as null.
    ///
    /// A former name of a level is replaced by the current one.
    package mutating func level(_ level: LevelAssignment?, names levels: LevelLadder) {
        key("authorizationLevel")
        string((level?.level).map { levels.presentName(of: $0).text })
        member("validUntil", ifPresent: level?.validUntil?.rfc3339)
        member("levelAfter", ifPresent: level?.levelAfter.map { levels.presentName(of: $0).text })
    }

    /// Writes the member with the grants and their ends, if there are any.
    ///
    /// A former name of a grant is replaced by the current one.
    package mutating func grants(_ grants: [GrantAssignment], names: GrantNames) {
        guard !grants.isEmpty else { return }
        member("grants") { writer in
            for grant in names.presented(grants) {
                writer.member(grant.name.text) { writer in
                    guard let end = grant.validUntil else { return }
                    writer.member("validUntil", end.rfc3339)
                }
            }
        }
    }
}

/// One line of a file of user states, in the format of `waymark user export`.
package struct UserStateLine {
    /// The user that the line sets.
    package let id: UserID

    /// The level to set.
    package let level: LevelAssignment

    /// The grants that replace all grants of the user, or `nil` to leave them unchanged.
    package let grants: [GrantAssignment]?

    /// The effective time of the line, or `nil` for the current time.
    package let asOf: Timestamp?

    /// Parses the bytes of a line, with the names of a catalog.
    ///
    /// The version and the time of the last change are ignored.
    ///
    /// - Throws: `Problem` of code `invalid-request`, naming the field.
    package init(_ bytes: [UInt8], at time: Timestamp, names: AccessNames) throws(Problem) {
        let body = try JSONObjectBody(bytes, keys: JSONObjectBody.userKeys)
        id = try RequestedUser.id(try body.requiredString("id"), field: "id")
        level = try body.heldLevel(in: names.levels)
        grants = try body.grants(among: names.grants)
        asOf = try body.asOf(at: time)
    }
}

/// A change in the history of a user.
package struct UserChangeBody: WireBody {
    private let change: UserChange
    private let names: AccessNames

    /// Creates the body of a change, with the names of a catalog.
    package init(_ change: UserChange, names: AccessNames) {
        self.change = change
        self.names = names
    }

    /// Writes the body as JSON.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("version", change.version)
            writer.level(change.level, names: names.levels)
            writer.grants(change.access?.grants ?? [], names: names.grants)
            writer.member("at", change.at.rfc3339)
            writer.member("by", change.author)
            writer.member("asOf", ifPresent: change.asOf?.rfc3339)
        }
    }
}
