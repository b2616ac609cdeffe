import DeepLinkCore

/// The stored users whom a finding touches, counted by their levels in both catalogs.
///
/// - A change of a required level touches the users whom only one of the catalogs admits.
/// - Levels that are lost or reordered touch the users whose own level is lost, or who are no longer on the same side of
///   some level that stays.
/// - A change of a gate touches the users for whom it is the next one.
/// - Any other change touches the users who reach the link that shows it in some catalog; without a link they aren't
///   counted.
struct TouchedUsers {
    private let old: RouteCatalog
    private let new: RouteCatalog
    private let users: StoredUsers

    init(_ pairing: CatalogPairing, users: StoredUsers) {
        old = pairing.old
        new = pairing.new
        self.users = users
    }

    /// Returns the number of users; `nil` if they can't be counted.
    func count(_ finding: Finding) -> Int? {
        switch finding.rule {
        case .levelRaised, .levelLowered: countAdmitted(finding.identity)
        case .levelsReordered: countReordered()
        case .gateChanged, .gateRemoved: countGated(finding.identity)
        case .requirementRaised, .requirementLowered, .grantAdded, .grantRemoved: nil
        default: finding.witness.flatMap(countReached)
        }
    }

    private func countAdmitted(_ identity: Finding.Identity) -> Int? {
        guard let before = identity.old.flatMap({ old.levels.level(named: $0.string) }),
            let after = identity.new.flatMap({ new.levels.level(named: $0.string) })
        else { return nil }
        return users.count {
            switch identity.rule {
            case .levelLowered: $0.old < before && $0.new >= after
            default: $0.old >= before && $0.new < after
            }
        }
    }

    private func countReordered() -> Int {
        let counterparts = old.levels.all.map { (old: $0, new: new.levels.level(stored: old.levels.name(of: $0))) }
        return users.count { user in
            counterparts.contains { level in
                guard let counterpart = level.new else { return level.old == user.old }
                return (user.old >= level.old) != (user.new >= counterpart)
            }
        }
    }

    private func countGated(_ identity: Finding.Identity) -> Int? {
        guard let name = identity.subject.gate?.string else { return nil }
        // Of a gate that is gone, the new catalog has none to stop at.
        guard let level = old.levels.level(named: name) else {
            return new.levels.level(named: name)
                .map { level in
                    users.count { Self.isNext(level, in: new, for: $0.new) }
                }
        }
        return users.count { Self.isNext(level, in: old, for: $0.old) }
    }

    /// Returns whether the gate of a level is the next one for users of another.
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
        // Users' grants are not counted here.
        guard before != nil || after != nil, (before ?? .none).grants.isEmpty, (after ?? .none).grants.isEmpty else {
            return nil
        }
        return users.count { user in
            before.map { user.old >= $0.level } ?? false || after.map { user.new >= $0.level } ?? false
        }
    }

    private func requirement(of text: String, in catalog: RouteCatalog) -> Requirement? {
        guard let link = try? DeepLink(text, rootless: catalog.rootlessSchemes),
            case .plan(let plan) = resolve(ResolutionRequest(link: link), permissions: .all, catalog: catalog)
        else { return nil }
        return Requirement(level: plan.requiredLevel, grants: plan.requiredGrants)
    }
}
