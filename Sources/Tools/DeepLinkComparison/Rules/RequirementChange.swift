import DeepLinkCore

/// A change of a requirement: a level, grants, a signature, the app, or its version on one platform.
struct RequirementChange {
    /// The kind of change: the requirement is raised or lowered.
    let rule: ChangeRule

    /// The old requirement in words, or `nil` for any version of the app.
    let old: ByteText?

    /// The new requirement in words, or `nil` for any version of the app.
    let new: ByteText?

    /// The harm, if it differs from the harm of the rule.
    var harms: [ChangeAudience: Severity]?
}

extension CatalogPairing {
    /// Returns the changes between two required levels, or none if both admit the same users.
    func changes(
        from before: AuthorizationLevel,
        to after: AuthorizationLevel,
        for users: [LevelPair]
    ) -> [RequirementChange] {
        let rules: [ChangeRule] =
            (users.areWidened(from: before, to: after) ? [.levelLowered] : [])
            + (users.areNarrowed(from: before, to: after) ? [.levelRaised] : [])
        let texts = (old: old.levels.text(of: before).bytewise, new: new.levels.text(of: after).bytewise)
        return rules.map { RequirementChange(rule: $0, old: texts.old, new: texts.new) }
    }

    /// Returns the changes between two sets of required grants, or none if the same users meet both.
    func changes(from before: GrantSet, to after: GrantSet) -> [RequirementChange] {
        guard !before.isEmpty || !after.isEmpty else { return [] }
        let kept = before.grants.map(counterpart(of:))
        // Consider a user with only the other grants, or with only the grants of the old catalog.
        let isLowered = kept.contains { grant in !(grant.map(after.contains) ?? false) }
        let isRaised = after.grants.contains { !kept.contains($0) }
        let rules: [ChangeRule] = (isLowered ? [.requirementLowered] : []) + (isRaised ? [.requirementRaised] : [])
        func text(_ grants: GrantSet, in list: GrantList) -> ByteText {
            let names = list.texts(of: grants)
            return names.isEmpty ? "no grant" : names.joined(separator: ", ").bytewise
        }
        return rules.map {
            RequirementChange(rule: $0, old: text(before, in: old.grants), new: text(after, in: new.grants))
        }
    }

    /// Returns the changes of the required versions, for the platforms and the named apps for which they differ.
    func changes(from before: RequiredApps, to after: RequiredApps) -> [RequirementChange] {
        guard !before.isEmpty || !after.isEmpty else { return [] }
        let (before, after) = (before.versions(in: old.apps), after.versions(in: new.apps))
        let platforms = AppVersion.Platform.allCases.map { $0.rawValue.bytewise }
        let others = (before + after).map { $0.key.bytewise }.filter { !platforms.contains($0) }
        return (platforms + Set(others).sorted())
            .compactMap { key in
                let (before, after) = (Self.number(of: key, in: before), Self.number(of: key, in: after))
                guard before != after else { return nil }
                let isRaised = after.map { after in before.map { $0 < after } ?? true } ?? false
                func text(_ number: VersionNumber?) -> ByteText? {
                    number.map { "\(key.string)/\($0.text)".bytewise }
                }
                return RequirementChange(
                    rule: isRaised ? .appVersionRaised : .appVersionLowered,
                    old: text(before),
                    new: text(after)
                )
            }
    }

    private static func number(
        of key: ByteText,
        in versions: [(key: String, number: VersionNumber)]
    ) -> VersionNumber? {
        versions.first { $0.key.bytewise == key }?.number
    }

    /// Returns the grant of the new catalog with the name of a grant of the old one, or with that former name (`was`).
    func counterpart(of grant: Grant) -> Grant? {
        old.grants.counterparts(of: GrantSet(grant), in: new.grants).grants.first
    }
}
