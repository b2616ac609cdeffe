package import DeepLinkCore

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
