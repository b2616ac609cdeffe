import DeepLinkCore

/// The rules for required grants, and for the grants that catalogs declare.
///
/// A grant of both catalogs has the same name in both, or the new catalog declares its former name (`was`).
struct GrantRules {
    private let old: GrantList
    private let new: GrantList

    init(from old: GrantList, to new: GrantList) {
        self.old = old
        self.new = new
    }

    /// Returns the kinds of change between two sets of required grants, or none if the same users meet both.
    func rules(from before: GrantSet, to after: GrantSet) -> [ChangeRule] {
        guard !before.isEmpty || !after.isEmpty else { return [] }
        let kept = before.grants.map { counterpart(of: $0) }
        // Consider a user with only the other grants, or with only the grants of the old catalog.
        let isLowered = kept.contains { grant in !(grant.map(after.contains) ?? false) }
        let isRaised = after.grants.contains { !kept.contains($0) }
        return (isLowered ? [.requirementLowered] : []) + (isRaised ? [.requirementRaised] : [])
    }

    private func counterpart(of grant: Grant) -> Grant? {
        old.counterparts(of: GrantSet(grant), in: new).grants.first
    }

    /// Returns the names of required grants, in words.
    static func text(_ grants: GrantSet, in list: GrantList) -> ByteText {
        let names = list.texts(of: grants)
        return names.isEmpty ? "no grant" : names.joined(separator: ", ").bytewise
    }

    /// The findings of grants that are new or removed, and of grants that apps assert in only one of the catalogs.
    var declared: [Finding] {
        let kept = old.all.map { (old: $0, new: counterpart(of: $0)) }
        let gone = kept.filter { $0.new == nil }
            .map { grant in
                Finding(.grantRemoved, of: ChangeSubject(gate: old.text(of: grant.old).bytewise))
            }
        let added = new.all.filter { grant in !kept.contains { $0.new == grant } }
            .map { Finding(.grantAdded, of: ChangeSubject(gate: new.text(of: $0).bytewise)) }
        let moved = kept.compactMap { grant -> Finding? in
            guard let counterpart = grant.new else { return nil }
            return Self.moved(
                old.text(of: grant.old),
                from: old.fromApp.contains(grant.old),
                to: new.fromApp.contains(counterpart)
            )
        }
        return gone + added + moved
    }

    /// Returns the findings of levels that apps assert in only one of two ladders.
    static func assertions(from old: LevelLadder, to new: LevelLadder) -> [Finding] {
        old.gated.compactMap { level in
            guard let counterpart = new.level(stored: old.name(of: level)) else { return nil }
            return moved(
                old.text(of: level),
                from: level <= old.highestFromApp,
                to: counterpart > .lowest && counterpart <= new.highestFromApp
            )
        }
    }

    /// Returns the finding of a level or a grant with a different source, or `nil` if the source is the same.
    private static func moved(_ name: String, from before: Bool, to after: Bool) -> Finding? {
        guard before != after else { return nil }
        let (app, given): (ByteText, ByteText) = ("asserted", "given")
        return Finding(
            after ? .requirementLowered : .requirementRaised,
            of: ChangeSubject(gate: name.bytewise),
            from: before ? app : given,
            to: after ? app : given
        )
    }
}
