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
    package init(of catalog: RouteCatalog) { self.init() }
}
