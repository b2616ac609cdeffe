package import DeepLinkCore
package import DeepLinkFormats

/// One user's state: the fields that are stored, as they were written, and beside them the level that counts now.
///
/// Writing the fields back gives the same level, whether or not its end has come. Grants whose end has come are left
/// out.
package struct UserBody: WireBody {
    private let state: UserState
    private let time: Timestamp
    private let isApplied: Bool
    private let names: AccessNames

    /// Shows a state by the names of a catalog, with the level and the grants that count at a moment, and whether the
    /// write that it answers has changed it.
    package init(_ state: UserState, at time: Timestamp, isApplied: Bool = true, names: AccessNames) {
        self.state = state
        self.time = time
        self.isApplied = isApplied
        self.names = names
    }

    /// Writes the body as JSON.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.key("id")
            writer.string(state.id.text)
            writer.level(state.level, names: names.levels)
            writer.grants(state.access.grants(at: time), names: names.grants)
            writer.key("currentLevel")
            writer.string(names.levels.text(of: state.level(at: time, in: names.levels)))
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
    package mutating func level(_ level: HeldLevel?, names levels: LevelLadder) {
        key("authorizationLevel")
        string((level?.level).map { levels.presentName(of: $0).text })
        if let validUntil = level?.validUntil {
            key("validUntil")
            string(validUntil.rfc3339)
        }
        if let levelAfter = level?.levelAfter {
            key("levelAfter")
            string(levels.presentName(of: levelAfter).text)
        }
    }

    /// Writes the member with the grants, if there are any, each with its end.
    ///
    /// A former name of a grant is written as the present one.
    package mutating func grants(_ grants: [HeldGrant], names: GrantNames) {
        guard !grants.isEmpty else { return }
        key("grants")
        object { writer in
            for grant in names.presented(grants) {
                writer.key(grant.name.text)
                writer.object { writer in
                    guard let end = grant.validUntil else { return }
                    writer.key("validUntil")
                    writer.string(end.rfc3339)
                }
            }
        }
    }
}

/// A page of user states, and the start of the next one.
package struct UserListBody: WireBody {
    private let states: [UserState]
    private let time: Timestamp
    private let next: UserID?
    private let names: AccessNames

    /// Shows states by the names of a catalog as they count at a moment; `next` is the last id of the page if more follow.
    package init(_ states: [UserState], at time: Timestamp, next: UserID?, names: AccessNames) {
        self.states = states
        self.time = time
        self.next = next
        self.names = names
    }

    /// Writes the body as JSON.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.key("users")
            writer.array(states) { writer, state in UserBody(state, at: time, names: names).write(to: &writer) }
            guard let next else { return }
            writer.key("next")
            writer.string(next.text)
        }
    }
}

/// One line of a file of user states, as `waymark user export` writes it.
package struct UserStateLine {
    /// The user.
    package let id: UserID

    /// The level to set.
    package let level: HeldLevel

    /// The grants in place of all; `nil` to leave them.
    package let grants: [HeldGrant]?

    /// The moment as of which the line counts; `nil` for now.
    package let asOf: Timestamp?

    /// Reads the bytes of a line at a moment, by the names of a catalog; the version and the time of its last change are
    /// not taken over.
    ///
    /// - Throws: ``Problem`` of code `invalid-request`, naming the field.
    package init(_ bytes: [UInt8], at time: Timestamp, names: AccessNames) throws(Problem) {
        let body = try JSONObjectBody(bytes, keys: JSONObjectBody.userKeys)
        id = try RequestedUser.id(try body.requiredString("id"), field: "id")
        level = try body.heldLevel(in: names.levels)
        grants = try body.grants(among: names.grants)
        asOf = try body.asOf(at: time)
    }
}
