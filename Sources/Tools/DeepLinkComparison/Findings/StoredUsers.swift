package import DeepLinkCore

/// The users of a database, by their levels and grants in the two catalogs of a comparison.
package struct StoredUsers: Sendable {
    /// The number of users with each pair of permissions.
    private let permissions: [PermissionsPair: Int]

    /// The names of levels that the new catalog lacks, with the number of their users.
    ///
    /// These users count as users of the lowest level.
    package let unknown: [(name: LevelName, count: Int)]

    /// The stored names that are former names in the new catalog, with the number of their users.
    package let former: [(name: LevelName, count: Int)]

    /// Creates the users from their counts.
    package init(
        permissions: [PermissionsPair: Int],
        unknown: [(name: LevelName, count: Int)],
        former: [(name: LevelName, count: Int)]
    ) {
        self.permissions = permissions
        self.unknown = unknown
        self.former = former
    }

    /// The number of users.
    package var count: Int { permissions.values.reduce(0, +) }

    /// Returns the number of users with levels and grants that satisfy a condition.
    func count(where condition: (PermissionsPair) -> Bool) -> Int {
        permissions.reduce(0) { condition($1.key) ? $0 + $1.value : $0 }
    }

    /// Sentences about stored levels that the new catalog lacks, and about stored former names.
    var remarks: [String] {
        let lost = unknown.map { name, count in
            "\(Self.users(count)) of the level `\(name.text)`, which the new catalog lacks, \(count == 1 ? "counts" : "count") as "
                + "the lowest"
        }
        return lost
            + former.map { name, count in
                "\(Self.users(count)) \(count == 1 ? "has" : "have") the former name `\(name.text)`"
            }
    }

    /// Returns a number of users in words.
    static func users(_ count: Int) -> String {
        "\(ComparisonReport.grouped(count)) stored user\(count == 1 ? "" : "s")"
    }
}
