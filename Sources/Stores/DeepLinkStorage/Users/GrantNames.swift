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
