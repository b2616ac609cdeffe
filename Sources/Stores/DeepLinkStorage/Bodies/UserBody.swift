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

extension JSONObjectBody {
    /// The keys of a level and its end.
    package static let levelKeys = ["authorizationLevel", "validUntil", "levelAfter"]

    /// Returns the level of the body with its end, given the levels of a catalog.
    package func heldLevel(in levels: LevelLadder) throws(Problem) -> LevelAssignment {
        guard let level = try level("authorizationLevel", in: levels) else {
            throw .missing(field: "authorizationLevel", detail: "The body has no `authorizationLevel`.")
        }
        let held = levels.heldLevel(
            of: level,
            validUntil: try timestamp("validUntil"),
            levelAfter: try self.level("levelAfter", in: levels)
        )
        guard let held else {
            throw .invalidValue(
                field: "levelAfter",
                detail: "`levelAfter` is higher than `authorizationLevel`; a level can only fall when it ends."
            )
        }
        return held
    }

    /// The keys of a user's state: the writable ones, the effective time, and the keys of responses, which are ignored.
    package static let userKeys = levelKeys + ["grants", "at", "id", "currentLevel", "version", "updatedAt"]

    /// Returns the effective time of the change, from `at`, or `nil` if it is absent.
    package func asOf(at time: Timestamp) throws(Problem) -> Timestamp? {
        try string("at").map { text throws(Problem) in try Self.asOf(text, at: time) }
    }

    /// Parses the effective time of a change.
    ///
    /// - Throws: `Problem` if it is not a time, or too far ahead of the clock.
    package static func asOf(_ text: String, at time: Timestamp) throws(Problem) -> Timestamp {
        let effectiveTime = try timestamp(text, field: "at")
        guard ChangeOrder.allows(effectiveTime, at: time) else {
            throw .invalidValue(
                field: "at",
                detail:
                    "`at` is \(effectiveTime.rfc3339), more than \(ChangeOrder.maximumLead / 60_000) minutes ahead; here it is "
                    + "\(time.rfc3339)."
            )
        }
        return effectiveTime
    }

    /// Returns the grants that replace all grants of the user, or `nil` if the body has none.
    ///
    /// - Throws: `Problem` of code `invalid-request`, naming the field.
    package func grants(among names: GrantNames) throws(Problem) -> [GrantAssignment]? {
        try grants { text throws(Problem) in try names.checked(text, field: "grants") }
    }

    /// Returns the grants of a body in the form of a response, by their current names, or `nil` if they are absent.
    ///
    /// Grants that the catalog lacks are included.
    ///
    /// - Throws: `Problem` of code `invalid-request` if a grant is malformed.
    package func shownGrants(among names: GrantNames) throws(Problem) -> [GrantAssignment]? {
        try grants { text throws(Problem) in
            guard let name = GrantName(text) else { return try names.checked(text, field: "grants") }
            return names.present(name)
        }
    }

    private func grants(_ checked: (String) throws(Problem) -> GrantName) throws(Problem) -> [GrantAssignment]? {
        guard let value = self["grants"] else { return nil }
        guard case .object(let members) = value else {
            throw .wrongType(
                field: "grants",
                detail: "`grants` is \(value.typeInWords); send an object with a member for each grant."
            )
        }
        var grants: [GrantAssignment] = []
        for member in members {
            let name = try checked(member.name.string)
            grants.append(GrantAssignment(name, validUntil: try Self.end(of: name, in: member.value)))
        }
        return grants
    }

    /// Returns the end of a grant, from `{"validUntil":"…"}`, or `nil` for `{}`.
    private static func end(of name: GrantName, in value: JSONValue) throws(Problem) -> Timestamp? {
        guard case .object(let members) = value else {
            throw .wrongType(
                field: "grants",
                detail:
                    "The grant `\(name.text)` is \(value.typeInWords); send an object, with `validUntil` if it ends."
            )
        }
        var end: Timestamp?
        for member in members {
            guard member.name == "validUntil".bytewise, case .string(let text) = member.value else {
                throw .invalidValue(
                    field: "grants",
                    detail:
                        "The grant `\(name.text)` has `\(member.name.string)`; it takes the text `validUntil` alone."
                )
            }
            end = try timestamp(text, field: "grants")
        }
        return end
    }
}

extension GrantNames {
    /// Returns the name of a writable grant, given its current name or a former one.
    ///
    /// - Throws: `Problem` of code `invalid-request` for any other text. It lists the grants of the catalog.
    package func checked(_ text: String, field: String) throws(Problem) -> GrantName {
        if let name = writable(text) { return name }
        let isAsserted = asserted.contains { $0.text.bytewise == text.bytewise }
        let others = written.isEmpty ? "there are none" : "there are \(list)"
        throw .invalidValue(
            field: field,
            detail: isAsserted
                ? "`\(text)` is a grant that the app asserts (`from: app`), and isn't stored; of the others \(others)."
                : "`\(text)` isn't a grant of the catalog; \(others)."
        )
    }
}
