package import DeepLinkCore

/// The names of the grants of a catalog, both the writable ones and those that only the app asserts.
package struct GrantNames: Hashable, Sendable {
    /// The names of writable grants, in the order of the catalog.
    package let written: [GrantName]

    /// The names of grants that requests assert (`from: app`), and that are never stored.
    package let asserted: [GrantName]

    /// The current name for each former name.
    private let former: [GrantName: GrantName]

    /// Creates names.
    ///
    /// The default is a catalog without grants.
    package init(_ written: [GrantName] = [], asserted: [GrantName] = [], former: [GrantName: GrantName] = [:]) {
        self.written = written
        self.asserted = asserted
        self.former = former
    }

    /// Returns the current name for a stored one, or the stored one if there is no other.
    package func present(_ name: GrantName) -> GrantName { former[name] ?? name }

    /// Returns the former names of a grant, given its current name.
    package func former(of name: GrantName) -> [GrantName] {
        former.filter { $0.value == name }.map(\.key).sorted { $0.text.bytewise < $1.text.bytewise }
    }

    /// Returns grants by their current names.
    ///
    /// If two have the same name now, the one that is valid for longer is used.
    package func presented(_ grants: [GrantAssignment]) -> [GrantAssignment] {
        guard !former.isEmpty, !grants.isEmpty else { return grants }
        var access = UserAccess(level: nil)
        for grant in grants {
            let new = GrantAssignment(present(grant.name), validUntil: grant.validUntil)
            let old = access.grants.first { $0.name == new.name }
            if let end = old?.validUntil, let newEnd = new.validUntil, newEnd < end { continue }
            if let old, old.validUntil == nil { continue }
            access.hold(new)
        }
        return access.grants
    }

    /// Returns the current name of a writable grant, given its current name or a former one, or `nil` for any other
    /// text.
    package func writable(_ text: String) -> GrantName? {
        guard let name = GrantName(text) else { return nil }
        let present = present(name)
        return written.contains(present) ? present : nil
    }

    /// The names of writable grants, as a list for messages.
    package var list: String { written.map(\.text).joined(separator: ", ") }
}

/// The names by which users' levels and grants are read, checked and shown, from a catalog or from a database.
package struct AccessNames: Sendable {
    /// The names of levels, with former ones.
    package let levels: LevelLadder

    /// The names of grants, with former ones.
    package let grants: GrantNames

    /// Creates names.
    package init(levels: LevelLadder, grants: GrantNames = GrantNames()) {
        self.levels = levels
        self.grants = grants
    }

    /// Creates the names of a catalog.
    package init(of catalog: RouteCatalog) {
        self.init(levels: catalog.levels, grants: GrantNames(of: catalog))
    }
}

extension GrantNames {
    /// Creates the names of the grants that a catalog declares.
    package init(of catalog: RouteCatalog) {
        let list = catalog.grants
        let grants = list.names.enumerated().map { (name: $1, set: GrantSet(Grant(place: UInt8($0)))) }
        self.init(
            grants.filter { !list.fromApp.isSuperset(of: $0.set) }.map(\.name),
            asserted: grants.filter { list.fromApp.isSuperset(of: $0.set) }.map(\.name),
            former: Dictionary(
                list.formerNames.map { ($0.name, list.names[Int($0.grant.place)]) },
                uniquingKeysWith: { first, _ in first }
            )
        )
    }
}

/// A grant that a user holds, possibly for a limited time.
package struct GrantAssignment: Hashable, Sendable {
    /// The name of the grant, as it was written.
    package let name: GrantName

    /// The last time at which the grant is valid, or `nil` if it does not expire.
    package let validUntil: Timestamp?

    /// Creates a grant with its end.
    package init(_ name: GrantName, validUntil: Timestamp? = nil) {
        self.name = name
        self.validUntil = validUntil
    }

    /// Returns whether the grant is valid at a time.
    ///
    /// At its end itself it is.
    package func isHeld(at time: Timestamp) -> Bool { validUntil.map { time <= $0 } ?? true }
}
