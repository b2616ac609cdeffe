package import DeepLinkCore
package import DeepLinkFormats

extension JSONObjectBody {
    /// The keys that say a level and how long it holds.
    package static let levelKeys = ["authorizationLevel", "validUntil", "levelAfter"]

    /// Returns the level that the body gives, and how long it holds, by the names of a ladder.
    package func heldLevel(in levels: LevelLadder) throws(Problem) -> HeldLevel {
        guard let level = try level("authorizationLevel", in: levels) else {
            throw .invalidRequest(
                field: "authorizationLevel",
                reason: .missing,
                detail: "The body has no `authorizationLevel`."
            )
        }
        let held = levels.heldLevel(
            of: level,
            validUntil: try timestamp("validUntil"),
            levelAfter: try self.level("levelAfter", in: levels)
        )
        guard let held else {
            throw .invalidRequest(
                field: "levelAfter",
                reason: .invalidValue,
                detail: "`levelAfter` is higher than `authorizationLevel`; a level can only fall when it ends."
            )
        }
        return held
    }

    /// The keys of a user's state: the written ones, the time of the change, and those of answers, which are ignored.
    package static let userKeys = levelKeys + ["grants", "at", "id", "currentLevel", "version", "updatedAt"]

    /// The moment as of which the body counts, by its `at`; `nil` if it is absent.
    package func asOf(at time: Timestamp) throws(Problem) -> Timestamp? {
        try string("at").map { text throws(Problem) in try Self.asOf(text, at: time) }
    }

    /// Reads the moment as of which a change counts.
    ///
    /// - Throws: ``Problem`` if it is none, or too far ahead of the clock.
    package static func asOf(_ text: String, at time: Timestamp) throws(Problem) -> Timestamp {
        let moment = try timestamp(text, field: "at")
        guard ChangeOrder.allows(moment, at: time) else {
            throw .invalidRequest(
                field: "at",
                reason: .invalidValue,
                detail:
                    "`at` is \(moment.rfc3339), more than \(ChangeOrder.maximumLead / 60_000) minutes ahead; here it is "
                    + "\(time.rfc3339)."
            )
        }
        return moment
    }

    /// Returns the grants that the body gives in place of all, by the names of a catalog; `nil` if it has none.
    ///
    /// - Throws: ``Problem`` of code `invalid-request`, naming the field.
    package func grants(among names: GrantNames) throws(Problem) -> [HeldGrant]? {
        try grants { text throws(Problem) in try GrantNames.checked(text, among: names, field: "grants") }
    }

    /// The grants of a body as answers have them, also those that the catalog lacks, by their present names; `nil` if they
    /// are absent.
    ///
    /// - Throws: ``Problem`` of code `invalid-request` for anything that is none.
    package func shownGrants(among names: GrantNames) throws(Problem) -> [HeldGrant]? {
        try grants { text throws(Problem) in
            guard let name = GrantName(text) else {
                return try GrantNames.checked(text, among: names, field: "grants")
            }
            return names.present(name)
        }
    }

    private func grants(_ checked: (String) throws(Problem) -> GrantName) throws(Problem) -> [HeldGrant]? {
        guard let value = self["grants"] else { return nil }
        guard case .object(let members) = value else {
            throw .invalidRequest(
                field: "grants",
                reason: .wrongType,
                detail: "`grants` is \(value.typeInWords); send an object with a member for each grant."
            )
        }
        var grants: [HeldGrant] = []
        for member in members {
            let name = try checked(member.name.string)
            grants.append(HeldGrant(name, validUntil: try Self.end(of: name, in: member.value)))
        }
        return grants
    }

    /// Returns the end of a grant: `{}` for none, or `{"validUntil":"…"}`.
    private static func end(of name: GrantName, in value: JSONValue) throws(Problem) -> Timestamp? {
        guard case .object(let members) = value else {
            throw .invalidRequest(
                field: "grants",
                reason: .wrongType,
                detail:
                    "The grant `\(name.text)` is \(value.typeInWords); send an object, with `validUntil` if it ends."
            )
        }
        var end: Timestamp?
        for member in members {
            guard member.name == "validUntil".bytewise, case .string(let text) = member.value else {
                throw .invalidRequest(
                    field: "grants",
                    reason: .invalidValue,
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
    /// Returns the name of a grant that may be written, given its present name or a former one.
    ///
    /// - Throws: `Problem` of code `invalid-request` with the names that there are, for any other text.
    package static func checked(
        _ text: String,
        among names: GrantNames,
        field: String
    ) throws(Problem) -> GrantName {
        if let name = names.writable(text) { return name }
        let isAsserted = names.asserted.contains { $0.text.bytewise == text.bytewise }
        let others = names.written.isEmpty ? "there are none" : "there are \(names.list)"
        throw .invalidRequest(
            field: field,
            reason: .invalidValue,
            detail: isAsserted
                ? "`\(text)` is a grant that the app asserts (`from: app`), and isn't stored; of the others \(others)."
                : "`\(text)` isn't a grant of the catalog; \(others)."
        )
    }
}
