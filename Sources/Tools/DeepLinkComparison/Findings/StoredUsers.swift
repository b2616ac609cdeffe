package import DeepLinkCore

/// The users of a database, by their levels and grants in the two catalogs of a comparison.
package struct StoredUsers: Sendable {
    /// The number of users who have each pair of permissions.
    private let permissions: [PermissionsPair: Int]

    /// The names of levels that the new catalog lacks, with the number of users who have them: they count as the lowest.
    package let unknown: [(name: LevelName, count: Int)]

    /// The names that the new catalog knows as former ones, with the number of users who have them.
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

    /// Returns the number of users whose levels and grants fulfil a condition.
    func count(where condition: (PermissionsPair) -> Bool) -> Int {
        permissions.reduce(0) { condition($1.key) ? $0 + $1.value : $0 }
    }

    /// The names that a change of the catalog leaves behind, in words; none if there are none.
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
