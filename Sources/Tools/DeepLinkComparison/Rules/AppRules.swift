import DeepLinkCore

/// The changes of the apps by name between two catalogs.
struct AppRules {
    let pairing: CatalogPairing

    /// The findings of apps that are removed or new.
    var findings: [Finding] {
        pairing.apps.removed.map { Finding(.appRemoved, from: $0) }
            + pairing.apps.added.map { Finding(.appAdded, to: $0) }
    }
}

extension CatalogPairing {
    /// Returns the change between the apps that have an edge, or none.
    ///
    /// An app that no longer gets the links is a break. An app that only gets further links is a risk, as wider rules for
    /// operating systems are.
    func changes(from before: AppIndex?, to after: AppIndex?) -> [RequirementChange] {
        guard let change = apps.change(from: before, to: after) else { return [] }
        let harms = change.isLost ? nil : ChangeRule.associationWidened.harms
        return [RequirementChange(rule: .routeAppChanged, old: change.old, new: change.new, harms: harms)]
    }

    /// Returns the change between the apps of two plans, or none.
    ///
    /// - Complexity: constant if neither catalog gives a destination to one app, and else linear in the stacks.
    func appChanges(from before: RoutePlan, to after: RoutePlan) -> [RequirementChange] {
        changes(from: before.app, to: after.app)
    }
}
