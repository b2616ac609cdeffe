import DeepLinkCore

/// The rules for required levels and for their ladders.
struct LevelRules {
    /// The users to check, by their levels in both catalogs.
    private let users: [LevelPair]

    init(_ users: [LevelPair]) {
        self.users = users
    }

    /// Returns the kinds of change between two required levels, or none if both admit the same users.
    func rules(from before: AuthorizationLevel, to after: AuthorizationLevel) -> [ChangeRule] {
        (users.areWidened(from: before, to: after) ? [.levelLowered] : [])
            + (users.areNarrowed(from: before, to: after) ? [.levelRaised] : [])
    }

    /// Returns the users to check: users with some levels of the former catalog, or all.
    static func users(named names: [LevelName]?, from old: LevelLadder, to new: LevelLadder) -> [LevelPair] {
        let pairs = old.pairs(with: new)
        guard let names else { return pairs }
        let levels = (old: names.compactMap(old.level(stored:)), new: names.compactMap(new.level(stored:)))
        return pairs.filter { levels.old.contains($0.old) || levels.new.contains($0.new) }
    }

    /// Returns the finding of levels that are reordered or missing, or `nil` if the order is the same.
    static func reordering(from old: LevelLadder, to new: LevelLadder) -> Finding? {
        let places = old.all.map { new.level(stored: old.name(of: $0)) }
        let known = places.compactMap(\.self)
        guard known.count < places.count || zip(known, known.dropFirst()).contains(where: { $0 >= $1 }) else {
            return nil
        }
        return Finding(
            Finding.Identity(
                rule: .levelsReordered,
                subject: ChangeSubject(),
                old: old.list().bytewise,
                new: new.list().bytewise
            )
        )
    }
}
