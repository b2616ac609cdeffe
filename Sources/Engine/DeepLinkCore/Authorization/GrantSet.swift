/// A grant of a catalog: a named fact about a user, such as `pro`, with its own gate.
///
/// A grant has a name in its catalog (``GrantList``). Grants of different catalogs are compared by name.
package struct Grant: Hashable, Sendable {
    /// The index among the grants that the catalog declares, below ``GrantList/maximumCount``.
    package let place: UInt8

    /// Creates the grant at an index.
    package init(place: UInt8) {
        self.place = place
    }
}

/// A set of a catalog's grants, with one bit for each.
///
/// ```swift
/// let needed: GrantSet = [GrantSet(Grant(place: 0)), GrantSet(Grant(place: 2))]
/// needed.grants.map(\.place)  // [0, 2]
/// ```
package struct GrantSet: OptionSet, Hashable, Sendable {
    /// The bits.
    package let rawValue: UInt32

    /// Creates a set from its bits.
    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// Creates the set of one grant.
    package init(_ grant: Grant) {
        self.init(rawValue: 1 << UInt32(grant.place))
    }

    /// All grants of any catalog.
    package static var all: GrantSet { GrantSet(rawValue: .max) }

    /// Returns whether a grant is in the set.
    package func contains(_ grant: Grant) -> Bool { contains(GrantSet(grant)) }

    /// The grants, in the order of the catalog's declaration.
    package var grants: [Grant] {
        (0..<UInt8(GrantList.maximumCount)).map(Grant.init(place:)).filter(contains)
    }
}
