import DeepLinkCore

/// The changes of levels and grants between a former catalog and a new one.
struct AccessChange {
    /// The grants in both catalogs, by their former names and their new ones.
    let keptGrants: [(former: GrantName, new: GrantName)]

    private let former: RouteCatalog
    private let new: RouteCatalog
    private let users: [LevelPair]

    init(from former: RouteCatalog, to new: RouteCatalog) {
        self.former = former
        self.new = new
        users = former.levels.pairs(with: new.levels)
        keptGrants = former.grants.names.compactMap { name in
            new.grants.grant(named: name).map { (name, new.grants.names[Int($0.place)]) }
        }
    }

    /// One sentence for each level and grant that is removed, or that the app can assert now.
    var sentences: [String] { removals + assertions }

    private var removals: [String] {
        let places = former.levels.names.map { ($0, new.levels.level(stored: $0)) }
        var removed = places.filter { $0.1 == nil }.map { "The level `\($0.0.text)` is removed." }
        let known = places.compactMap { $0.1 }
        if zip(known, known.dropFirst()).contains(where: { $0 >= $1 }) {
            removed.append("The levels are in another order.")
        }
        return removed
            + former.grants.names.filter { new.grants.grant(named: $0) == nil }
            .map { "The grant `\($0.text)` is removed." }
    }

    /// The sentences for levels and grants that only the service could give before, and that any caller can assert now.
    private var assertions: [String] {
        let levels = former.levels.all.filter { level in
            guard level > former.levels.highestFromApp else { return false }
            return new.levels.level(named: former.levels.name(of: level))
                .map { $0 > .lowest && $0 <= new.levels.highestFromApp } ?? false
        }
        let grants = former.grants.stored.filter { grant in
            new.grants.grant(named: former.grants.names[Int(grant.place)]).map(new.grants.fromApp.contains) ?? false
        }
        return levels.map { "The level `\(former.levels.text(of: $0))` is asserted by the app now." }
            + grants.map { "The grant `\(former.grants.text(of: $0))` is asserted by the app now." }
    }

    // MARK: Requirements

    /// Returns whether another required level admits previously denied users.
    func isOpened(from level: AuthorizationLevel, to other: AuthorizationLevel) -> Bool {
        users.areWidened(from: level, to: other)
    }

    /// Returns the reason why another requirement admits previously denied users, or `nil` if it doesn't.
    func opening(from requirement: Requirement, to other: Requirement) -> String? {
        guard !isOpened(from: requirement.level, to: other.level) else {
            return "its level falls from \(formerText(of: requirement.level)) to \(newText(of: other.level))"
        }
        let dropped = requirement.grants.grants.filter { grant in
            let counterpart = new.grants.grant(named: former.grants.names[Int(grant.place)])
            return counterpart.map { !other.grants.contains($0) } ?? true
        }
        guard !dropped.isEmpty else { return nil }
        return "it no longer requires \(former.grants.list(dropped))"
    }

    /// Returns the name of a level in the former catalog.
    func formerText(of level: AuthorizationLevel) -> String { former.levels.text(of: level) }

    /// Returns the name of a level in the new catalog.
    func newText(of level: AuthorizationLevel) -> String { new.levels.text(of: level) }
}
