import DeepLinkCore

/// The reader of the requirements of a route or an edge: its level, its grants, and the app's version.
struct AccessReader {
    /// The supported keys of level and grants.
    static let keys = ["authorizationLevel", requiresKey]

    /// The key of the grants.
    private static let requiresKey = "requires"

    /// The levels of the catalog.
    let levels: LevelLadder

    /// The grants of the catalog.
    let grants: GrantList

    /// Whether the file has a list of grants, so that routes may require some.
    let hasGrants: Bool

    /// The apps of the catalog.
    let apps: Apps

    /// Returns the keys that a route or an edge may have in the catalog.
    func supported(_ keys: [String]) -> [String] {
        hasGrants ? keys : keys.filter { $0.bytewise != Self.requiresKey.bytewise }
    }

    /// Reads the requirements of a route or an edge.
    func requirements(_ reader: MappingReader, log: IssueLog) -> Requirements {
        Requirements(
            authorizationLevel: level(reader, log: log) ?? .lowest,
            grants: requiredGrants(reader, log: log),
            since: reader[SinceReader.key].map { SinceReader(apps: apps, log: log).read($0) } ?? .none
        )
    }

    private func level(_ reader: MappingReader, log: IssueLog) -> AuthorizationLevel? {
        guard let name = reader.locatedString("authorizationLevel") else { return nil }
        if let level = levels.level(named: name.value) { return level }
        // The name may be one that could not be read.
        guard !log.heldBack.contains(.unknownLevel) else { return nil }
        let isGrant = grants.grant(named: name.value) != nil
        log.report(
            levels.isDeclared ? .unknownLevel : .invalidValue,
            at: name.location,
            message: "`\(name.value)` isn't an authorization level.",
            hint: isGrant
                ? "It is a grant: write `requires: [\(name.value)]`."
                : SpellingSuggestion.hint(for: name.value, among: levels.names.map { $0.text }, listing: "Levels are")
        )
        return nil
    }

    private func requiredGrants(_ reader: MappingReader, log: IssueLog) -> GrantSet {
        guard hasGrants else { return [] }
        var required = GrantSet()
        for name in reader.strings(Self.requiresKey) ?? [] {
            if let grant = grants.grant(named: name.value) {
                required.insert(GrantSet(grant))
            } else if !log.heldBack.contains(.unknownGrant) {
                let all = grants.all.map(grants.text(of:))
                log.report(
                    .unknownGrant,
                    at: name.location,
                    message: "`\(name.value)` isn't a grant.",
                    hint: levels.level(named: name.value) != nil
                        ? "It is a level: write `authorizationLevel: \(name.value)`."
                        : SpellingSuggestion.hint(for: name.value, among: all, listing: "Grants are")
                )
            }
        }
        return required
    }
}
