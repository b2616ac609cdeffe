/// The levels of a catalog with their names, the lowest first.
///
/// Users' levels are stored by name, and a ladder turns the name into a level when a user's level is read. A former
/// name (`was`) is read as the present one.
package final class LevelLadder: Sendable {
    /// The number of levels that a ladder may have.
    package static let counts = 2...16

    /// The ladder of a catalog that declares no levels.
    package static let standard = LevelLadder(
        ["none", "onboardingCompleted", "signedInUser", "premiumUser"].map(LevelName.init(checked:)),
        isDeclared: false
    )

    /// The names, the lowest first.
    package let names: [LevelName]

    /// The former names, with the levels that they name now.
    package let formerNames: [(name: LevelName, level: AuthorizationLevel)]

    /// The highest level that the app may assert (`from: app`), and all lower levels with it.
    ///
    /// Nothing may be asserted if it is the lowest.
    package let highestFromApp: AuthorizationLevel

    /// Whether the catalog declares its levels.
    package let isDeclared: Bool

    /// The names one after another, as in JSON between quotation marks: they need no escapes.
    let texts: [UInt8]

    /// The end of each name in ``texts``, after a zero.
    private let ends: [Int]

    /// Creates a ladder with distinct names.
    package init(
        _ names: [LevelName],
        formerNames: [(name: LevelName, level: AuthorizationLevel)] = [],
        highestFromApp: AuthorizationLevel = .lowest,
        isDeclared: Bool = true
    ) {
        self.names = names
        self.formerNames = formerNames
        self.highestFromApp = highestFromApp
        self.isDeclared = isDeclared
        var texts: [UInt8] = []
        var ends = [0]
        for name in names {
            texts += name.text.utf8
            ends.append(texts.count)
        }
        self.texts = texts
        self.ends = ends
    }

    /// The levels, the lowest first.
    package var all: [AuthorizationLevel] { names.indices.map { AuthorizationLevel(rank: UInt8($0)) } }

    /// The levels that a user must obtain: all except the first, the lowest first.
    package var gated: ArraySlice<AuthorizationLevel> { all.dropFirst() }

    /// The highest level of this ladder.
    package var highest: AuthorizationLevel { AuthorizationLevel(rank: UInt8(names.count - 1)) }

    /// The names as a list for messages, each between two quotation marks.
    package func list(quote: String = "") -> String {
        names.map { quote + $0.text + quote }.joined(separator: ", ")
    }

    // MARK: From a level to its name

    /// Returns the index of a level in ``names``, which for a level above all others is the last.
    private func place(of level: AuthorizationLevel) -> Int { Int(min(level.rank, UInt8(names.count - 1))) }

    /// Returns the name of a level.
    package func name(of level: AuthorizationLevel) -> LevelName { names[place(of: level)] }

    /// Returns the text of a level's name.
    package func text(of level: AuthorizationLevel) -> String { name(of: level).text }

    /// Returns the range of a level's name in ``texts``.
    func range(of level: AuthorizationLevel) -> Range<Int> {
        let place = place(of: level)
        return ends[place]..<ends[place + 1]
    }

    /// Returns the next lower level, or the lowest for the lowest.
    package func oneLower(than level: AuthorizationLevel) -> AuthorizationLevel {
        AuthorizationLevel(rank: max(min(level.rank, UInt8(names.count)), 1) - 1)
    }

    // MARK: From a name to its level

    /// Returns the level of a present or former name, or `nil` if the ladder doesn't have it.
    package func level(named text: String) -> AuthorizationLevel? { level(text.bytewise) }

    /// Returns the level of a present or former name, or `nil` if the ladder doesn't have it.
    package func level(named name: LevelName) -> AuthorizationLevel? { level(name.text.bytewise) }

    @inline(__always)
    private func level(_ name: ByteText) -> AuthorizationLevel? {
        for place in names.indices where names[place].text.bytewise == name {
            return AuthorizationLevel(rank: UInt8(truncatingIfNeeded: place))
        }
        return formerNames.isEmpty ? nil : formerNames.first { $0.name.text.bytewise == name }?.level
    }

    /// Returns the level of a stored name.
    ///
    /// Returns `nil` if the ladder doesn't have the name, which then counts as the lowest level.
    ///
    /// A stored `none` is the first level of every ladder.
    package func level(stored name: LevelName) -> AuthorizationLevel? {
        if let level = level(named: name) { return level }
        return name == Self.standard.names[0] ? .lowest : nil
    }

    /// Returns the present name of a stored level, or the stored name if the ladder doesn't have it.
    package func presentName(of name: LevelName) -> LevelName { level(stored: name).map(self.name(of:)) ?? name }

    /// Returns the pairs of levels that the same users have in this ladder and in a newer one, each pair once.
    ///
    /// A name that the newer ladder lacks counts as its lowest level, as a stored name does. A new level counts in this
    /// ladder as the next lower level that both ladders have.
    package func pairs(with new: LevelLadder) -> [LevelPair] {
        let counterparts = all.map { new.level(stored: name(of: $0)) }
        let pairs = zip(all, counterparts).map { LevelPair(old: $0, new: $1 ?? .lowest) }
        let kept = zip(pairs, counterparts).filter { $1 != nil }.map { $0.0 }
        let added = new.all.filter { level in !pairs.contains { $0.new == level } }
            .map { level in
                LevelPair(old: kept.filter { $0.new < level }.map { $0.old }.max() ?? .lowest, new: level)
            }
        return pairs + added
    }
}

extension LevelLadder: Equatable {
    /// Compares the names, including former names.
    package static func == (left: LevelLadder, right: LevelLadder) -> Bool {
        left === right
            || left.names == right.names && left.formerNames.map { $0.name } == right.formerNames.map { $0.name }
                && left.formerNames.map { $0.level } == right.formerNames.map { $0.level }
    }
}

/// The levels of one user in two catalogs.
package struct LevelPair: Hashable, Sendable {
    /// The level in the former catalog.
    package let old: AuthorizationLevel

    /// The level in the new catalog.
    package let new: AuthorizationLevel
}

extension [LevelPair] {
    /// Returns whether a change of the required level admits some users that were denied.
    package func areWidened(from before: AuthorizationLevel, to after: AuthorizationLevel) -> Bool {
        contains { $0.old < before && $0.new >= after }
    }

    /// Returns whether a change of the required level denies some users that were admitted.
    package func areNarrowed(from before: AuthorizationLevel, to after: AuthorizationLevel) -> Bool {
        contains { $0.old >= before && $0.new < after }
    }
}

/// A user's access level: one of the levels that a catalog declares.
///
/// Each level includes all lower levels. A level has a name in its catalog (``LevelLadder``). Levels of different
/// catalogs are compared by name.
///
/// ```swift
/// let level = catalog.levels.level(named: "signedInUser")
/// AuthorizationLevel.lowest < level ?? .lowest  // true
/// ```
package struct AuthorizationLevel: Comparable, Hashable, Sendable {
    /// The number of lower levels in the ladder.
    package let rank: UInt8

    /// Creates the level with a number of lower ones.
    package init(rank: UInt8) {
        self.rank = rank
    }

    /// The first level of every ladder, which everyone has.
    package static let lowest = AuthorizationLevel(rank: 0)

    /// A level above the levels of every ladder, which opens every route.
    package static var highest: AuthorizationLevel { AuthorizationLevel(rank: .max) }

    /// Orders the lower level first.
    package static func < (left: AuthorizationLevel, right: AuthorizationLevel) -> Bool { left.rank < right.rank }
}

/// The name of a level: an ASCII letter, then up to 63 ASCII letters, digits, underscores and hyphens.
///
/// Names are compared as bytes.
package struct LevelName: Hashable, Sendable {
    /// The maximum length of a name, in bytes.
    package static let maximumByteCount = NameForm.maximumByteCount

    /// The form of names, in words.
    package static let form = NameForm.words

    /// The name as text.
    package let text: String

    /// Creates a name, or returns `nil` if the text doesn't have the form of a name.
    package init?(_ text: String) {
        // The texts of the standard names are literals, which aren't reference-counted. Most users have one of these
        // levels.
        if let standard = LevelLadder.standard.names.first(where: { $0.text.bytewise == text.bytewise }) {
            self = standard
            return
        }
        guard NameForm.accepts(text) else { return nil }
        self.text = text
    }

    /// Creates a name from a text that has its form.
    init(checked text: String) {
        self.text = text
    }

    /// Compares the bytes of the names.
    package static func == (left: LevelName, right: LevelName) -> Bool { left.text.bytewise == right.text.bytewise }

    /// Hashes the bytes of the name.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(text.bytewise)
    }
}

/// A level's name and its new name in a database.
package struct LevelRename: Hashable, Sendable {
    /// The former name.
    package let old: LevelName

    /// The name in place of the former one.
    package let new: LevelName

    /// Creates a pair of names.
    package init(_ old: LevelName, to new: LevelName) {
        self.old = old
        self.new = new
    }
}

extension LevelLadder {
    /// Returns the ladder that also reads the names to which its levels were renamed in a database.
    ///
    /// A name that the ladder already has keeps its level, so that renaming never gives a user another level. Returns
    /// the same ladder if there are no renames.
    ///
    /// - Complexity: quadratic in the renames of one level.
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
