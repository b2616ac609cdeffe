package import DeepLinkCore

/// The grants of a catalog, by their names: those that may be written, and those that the app alone knows.
package struct GrantNames: Hashable, Sendable {
    /// The names that may be written to users, in the order of the catalog.
    package let written: [GrantName]

    /// The names of grants that requests assert (`from: app`), and that users never hold.
    package let asserted: [GrantName]

    /// The former names, with the present ones.
    private let former: [GrantName: GrantName]

    /// Creates names; the default is those of a catalog without grants.
    package init(_ written: [GrantName] = [], asserted: [GrantName] = [], former: [GrantName: GrantName] = [:]) {
        self.written = written
        self.asserted = asserted
        self.former = former
    }

    /// Returns the present name for a stored one; the stored one if there is no other.
    package func present(_ name: GrantName) -> GrantName { former[name] ?? name }

    /// Returns the former names of a present one.
    package func former(of name: GrantName) -> [GrantName] {
        former.filter { $0.value == name }.map(\.key).sorted { $0.text.bytewise < $1.text.bytewise }
    }

    /// Returns grants by their present names; of two that have the same now, the one that counts for longer.
    package func presented(_ grants: [HeldGrant]) -> [HeldGrant] {
        guard !former.isEmpty, !grants.isEmpty else { return grants }
        var access = UserAccess(level: nil)
        for grant in grants {
            let new = HeldGrant(present(grant.name), validUntil: grant.validUntil)
            let old = access.grants.first { $0.name == new.name }
            if let end = old?.validUntil, let newEnd = new.validUntil, newEnd < end { continue }
            if let old, old.validUntil == nil { continue }
            access.hold(new)
        }
        return access.grants
    }

    /// Returns the name by which a grant is written, given its present name or a former one; `nil` for a name that may
    /// not be written.
    package func writable(_ text: String) -> GrantName? {
        guard let name = GrantName(text) else { return nil }
        let present = present(name)
        return written.contains(present) ? present : nil
    }

    /// The names that may be written, as a list for messages.
    package var list: String { written.map(\.text).joined(separator: ", ") }
}

/// The names by which users' levels and grants are read, checked and shown: those of a catalog, or of a database.
package struct AccessNames: Sendable {
    /// The levels.
    package let levels: LevelLadder

    /// The grants.
    package let grants: GrantNames

    /// Puts names together.
    package init(levels: LevelLadder, grants: GrantNames = GrantNames()) {
        self.levels = levels
        self.grants = grants
    }

    /// Takes the names of a catalog.
    package init(of catalog: RouteCatalog) {
        self.init(levels: catalog.levels, grants: GrantNames(of: catalog))
    }
}

extension GrantNames {
    /// Takes the grants that a catalog declares.
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
package struct HeldGrant: Hashable, Sendable {
    /// The name of the grant.
    package let name: GrantName

    /// The last moment at which the grant counts; `nil` for ever.
    package let validUntil: Timestamp?

    /// Creates a grant with its end.
    package init(_ name: GrantName, validUntil: Timestamp? = nil) {
        self.name = name
        self.validUntil = validUntil
    }

    /// Returns whether the grant counts at a moment: up to its end, that moment included.
    package func isHeld(at time: Timestamp) -> Bool { validUntil.map { time <= $0 } ?? true }
}
