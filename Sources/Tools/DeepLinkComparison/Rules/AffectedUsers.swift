import DeepLinkCore

/// The stored users that a finding affects, counted by their levels and grants in both catalogs.
///
/// - A change of a required level, or of required grants, affects the users admitted by only one of the catalogs.
/// - A grant that is new or removed affects its holders. A grant that the app asserts in only one of the catalogs
///   affects the users who don't hold it.
/// - Lost or reordered levels affect the users of a lost level, and users who are no longer on the same side of some
///   remaining level.
/// - A change of a level's gate affects the users for whom it is the next gate. A change of a grant's gate affects the
///   users without the grant.
/// - Any other change affects the users who reach the link that shows it, with either catalog. Without a link they
///   aren't counted.
struct AffectedUsers {
    private let old: RouteCatalog
    private let new: RouteCatalog
    private let users: StoredUsers

    init(_ pairing: CatalogPairing, users: StoredUsers) {
        old = pairing.old
        new = pairing.new
        self.users = users
    }

    /// Returns the number of users, or `nil` if they can't be counted.
    func count(_ finding: Finding) -> Int? {
        switch finding.rule {
        case .levelRaised, .levelLowered: countAdmitted(finding.identity)
        case .levelsReordered: countReordered()
        case .gateChanged, .gateRemoved: countGated(finding.identity)
        case .requirementRaised, .requirementLowered: countMeeting(finding.identity)
        case .grantAdded, .grantRemoved: countHolding(finding.identity)
        default: finding.witness.flatMap(countReached)
        }
    }

    private func countAdmitted(_ identity: Finding.Identity) -> Int? {
        guard let before = identity.old.flatMap({ old.levels.level(named: $0.string) }),
            let after = identity.new.flatMap({ new.levels.level(named: $0.string) })
        else { return nil }
        return users.count {
            switch identity.rule {
            case .levelLowered: $0.old.level < before && $0.new.level >= after
            default: $0.old.level >= before && $0.new.level < after
            }
        }
    }

    private func countReordered() -> Int {
        let counterparts = old.levels.all.map { (old: $0, new: new.levels.level(stored: old.levels.name(of: $0))) }
        return users.count { user in
            counterparts.contains { level in
                guard let counterpart = level.new else { return level.old == user.old.level }
                return (user.old.level >= level.old) != (user.new.level >= counterpart)
            }
        }
    }

    private func countGated(_ identity: Finding.Identity) -> Int? {
        guard let name = identity.subject.gate?.string else { return nil }
        if let count = countLacking(grant: name) { return count }
        // Count by the old catalog if it has the level, because a removed gate stops nobody in the new one.
        if let level = old.levels.level(named: name) {
            return users.count { Self.isNext(level, in: old, for: $0.old.level) }
        }
        return new.levels.level(named: name)
            .map { level in users.count { Self.isNext(level, in: new, for: $0.new.level) } }
    }

    /// Returns whether the gate of a level is the next one for users of another level.
    private static func isNext(
        _ gate: AuthorizationLevel,
        in catalog: RouteCatalog,
        for level: AuthorizationLevel
    ) -> Bool {
        catalog.gateLinks.lazy.map(\.level).filter { $0 > level }.min() == gate
            || level < gate && !catalog.gateLinks.contains { $0.level > level && $0.level <= gate }
    }

    private func countReached(_ link: String) -> Int? {
        let (before, after) = (requirement(of: link, in: old), requirement(of: link, in: new))
        guard before != nil || after != nil else { return nil }
        return users.count { user in
            before.map { $0.isMet(by: user.old.joined(with: old.allAssertions)) } ?? false
                || after.map { $0.isMet(by: user.new.joined(with: new.allAssertions)) } ?? false
        }
    }

    // MARK: Grants

    private func countMeeting(_ identity: Finding.Identity) -> Int? {
        if let name = identity.subject.gate?.string {
            if let count = countLacking(grant: name) { return count }
            guard let before = old.levels.level(named: name), let after = new.levels.level(named: name) else {
                return nil
            }
            return users.count { $0.old.level < before || $0.new.level < after }
        }
        guard let before = identity.old.map({ Self.grants($0.string, in: old.grants) }),
            let after = identity.new.map({ Self.grants($0.string, in: new.grants) })
        else { return nil }
        return users.count { user in
            let wasMet = user.old.joined(with: old.allAssertions).grants.isSuperset(of: before)
            let isMet = user.new.joined(with: new.allAssertions).grants.isSuperset(of: after)
            return identity.rule == .requirementLowered ? !wasMet && isMet : wasMet && !isMet
        }
    }

    /// Returns the number of users without a grant in either catalog, or `nil` if neither has the grant.
    private func countLacking(grant name: String) -> Int? {
        grants(named: name)
            .map { before, after in
                users.count { !$0.old.grants.isSuperset(of: before) || !$0.new.grants.isSuperset(of: after) }
            }
    }

    private func countHolding(_ identity: Finding.Identity) -> Int? {
        guard let (before, after) = identity.subject.gate.flatMap({ grants(named: $0.string) }) else { return nil }
        return users.count {
            !$0.old.grants.isDisjoint(with: before) || !$0.new.grants.isDisjoint(with: after)
        }
    }

    /// Returns the grant with a name in both catalogs, empty where one lacks it, or `nil` if neither has it.
    private func grants(named name: String) -> (old: GrantSet, new: GrantSet)? {
        let (before, after) = (old.grants.grant(named: name), new.grants.grant(named: name))
        guard before != nil || after != nil else { return nil }
        return (before.map { GrantSet($0) } ?? [], after.map { GrantSet($0) } ?? [])
    }

    /// Returns the grants that the text of a finding lists.
    private static func grants(_ text: String, in list: GrantList) -> GrantSet {
        list.set(
            text.utf8.split(whereSeparator: { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: " ") })
                .compactMap { GrantName(String(Substring($0))) }
        )
    }

    private func requirement(of text: String, in catalog: RouteCatalog) -> Requirement? {
        catalog.plan(of: text).map { Requirement(level: $0.requiredLevel, grants: $0.requiredGrants) }
    }
}
