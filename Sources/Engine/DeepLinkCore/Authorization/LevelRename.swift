/// A level's name and the one that it has been given in a database.
package struct LevelRename: Hashable, Sendable {
    /// The name before.
    package let old: LevelName

    /// The name in its place.
    package let new: LevelName

    /// Creates a pair of names.
    package init(_ old: LevelName, to new: LevelName) {
        self.old = old
        self.new = new
    }
}

extension LevelLadder {
    /// Returns the ladder that also reads the names that its levels have been given in a database; itself if there are
    /// none.
    ///
    /// A name that the ladder has keeps its level, so that a renaming never gives a user another one.
    ///
    /// - Complexity: quadratic in the renamings of one level.
    package func reading(_ renames: [LevelRename]) -> LevelLadder {
        var former = formerNames
        func level(_ name: LevelName) -> AuthorizationLevel? {
            self.level(named: name) ?? former.first { $0.name == name }?.level
        }
        // A level may have been renamed several times.
        for _ in renames {
            let count = former.count
            for rename in renames where level(rename.new) == nil {
                if let level = level(rename.old) { former.append((rename.new, level)) }
            }
            if former.count == count { break }
        }
        return former.count == formerNames.count
            ? self : LevelLadder(names, formerNames: former, highestFromApp: highestFromApp, isDeclared: isDeclared)
    }
}
