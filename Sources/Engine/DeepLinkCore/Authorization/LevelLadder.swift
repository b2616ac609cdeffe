/// The levels of a catalog, the lowest first, with their names.
///
/// Users' levels are stored by name; a ladder turns a name into a level where a user's level is read. A former name
/// (`was`) is read as the present one.
package final class LevelLadder: Sendable {
    /// The numbers of levels that a ladder may have.
    package static let counts = 2...16

    /// The ladder of a catalog that declares none.
    package static let standard = LevelLadder(
        ["none", "onboardingCompleted", "signedInUser", "premiumUser"].map(LevelName.init(checked:)),
        isDeclared: false
    )

    /// The names, the lowest level's first.
    package let names: [LevelName]

    /// The former names, with the levels that they name now.
    package let formerNames: [(name: LevelName, level: AuthorizationLevel)]

    /// The highest level that the app may assert (`from: app`), as it may those below; the lowest for none.
    package let highestFromApp: AuthorizationLevel

    /// Whether the catalog declares its levels.
    package let isDeclared: Bool

    /// The names one after the other, as they stand in JSON between quotes: they need no escape.
    let texts: [UInt8]

    /// The end of each name in ``texts``, after a zero.
    private let ends: [Int]

    /// Creates a ladder; the names must be distinct.
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

    /// The levels that a user must obtain, the lowest first: all but the first.
    package var gated: ArraySlice<AuthorizationLevel> { all.dropFirst() }

    /// The highest level.
    package var highest: AuthorizationLevel { AuthorizationLevel(rank: UInt8(names.count - 1)) }

    /// The names as a list for messages, each between two quotation marks.
    package func list(quote: String = "") -> String {
        names.map { quote + $0.text + quote }.joined(separator: ", ")
    }

    // MARK: From a level to its name

    /// Returns the place of a level in ``names``; a level above all counts as the highest.
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

    /// Returns the next lower level; the lowest for the lowest.
    package func oneLower(than level: AuthorizationLevel) -> AuthorizationLevel {
        AuthorizationLevel(rank: max(min(level.rank, UInt8(names.count)), 1) - 1)
    }

    // MARK: From a name to its level

    /// Returns the level of a present or former name; `nil` if the ladder doesn't have it.
    package func level(named text: String) -> AuthorizationLevel? { level(text.bytewise) }

    /// Returns the level of a present or former name; `nil` if the ladder doesn't have it.
    package func level(named name: LevelName) -> AuthorizationLevel? { level(name.text.bytewise) }

    @inline(__always)
    private func level(_ name: ByteText) -> AuthorizationLevel? {
        for place in names.indices where names[place].text.bytewise == name {
            return AuthorizationLevel(rank: UInt8(truncatingIfNeeded: place))
        }
        return formerNames.isEmpty ? nil : formerNames.first { $0.name.text.bytewise == name }?.level
    }

    /// Returns the level of a stored name; `nil` if it counts as the lowest because the ladder doesn't have it.
    ///
    /// A stored `none` is the first level of every ladder.
    package func level(stored name: LevelName) -> AuthorizationLevel? {
        if let level = level(named: name) { return level }
        return name == Self.standard.names[0] ? .lowest : nil
    }

    /// Returns the present name for a stored one: that of its level, or the stored one if the ladder doesn't have it.
    package func presentName(of name: LevelName) -> LevelName { level(stored: name).map(self.name(of:)) ?? name }

    /// Returns the levels that this ladder and a newer one give the same users, once for each pair.
    ///
    /// A name that the newer ladder lacks counts as its lowest level, as a stored one does. A level that is new counts
    /// in this ladder as the next lower one that both have.
    package func pairs(with new: LevelLadder) -> [LevelPair] {
        let counterparts = all.map { new.level(stored: name(of: $0)) }
        let pairs = zip(all, counterparts).map { LevelPair(old: $0, new: $1 ?? .lowest) }
        let kept = zip(pairs, counterparts).filter { $1 != nil }.map(\.0)
        let added = new.all.filter { level in !pairs.contains { $0.new == level } }
            .map { level in
                LevelPair(old: kept.filter { $0.new < level }.map(\.old).max() ?? .lowest, new: level)
            }
        return pairs + added
    }
}

extension LevelLadder: Equatable {
    /// Compares the names, the former ones included.
    package static func == (left: LevelLadder, right: LevelLadder) -> Bool {
        left === right
            || left.names == right.names && left.formerNames.map(\.name) == right.formerNames.map(\.name)
                && left.formerNames.map(\.level) == right.formerNames.map(\.level)
    }
}

/// The levels of one user in two catalogs.
package struct LevelPair: Hashable, Sendable {
    /// The level in the former catalog.
    package let old: AuthorizationLevel

    /// The level in the new catalog.
    package let new: AuthorizationLevel

    /// Creates a pair.
    package init(old: AuthorizationLevel, new: AuthorizationLevel) {
        self.old = old
        self.new = new
    }
}

extension [LevelPair] {
    /// Returns whether a change of the required level admits some user who was denied.
    package func areWidened(from before: AuthorizationLevel, to after: AuthorizationLevel) -> Bool {
        contains { $0.old < before && $0.new >= after }
    }

    /// Returns whether a change of the required level denies some user who was admitted.
    package func areNarrowed(from before: AuthorizationLevel, to after: AuthorizationLevel) -> Bool {
        contains { $0.old >= before && $0.new < after }
    }
}

/// A user's authorization level: a rung of the ladder that a catalog declares.
///
/// Each level includes all lower ones. Names belong to the ladder (``LevelLadder``); levels of different catalogs are
/// compared by their names.
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

    /// A level above those of every ladder, which opens every route.
    package static var highest: AuthorizationLevel { AuthorizationLevel(rank: .max) }

    /// Orders the lower level first.
    package static func < (left: AuthorizationLevel, right: AuthorizationLevel) -> Bool { left.rank < right.rank }
}

/// The name of a level: a letter, then up to 63 letters, digits, underscores and hyphens of ASCII; compared as bytes.
package struct LevelName: Hashable, Sendable {
    /// The most bytes of a name.
    package static let maximumByteCount = NameForm.maximumByteCount

    /// The form of names, in words.
    package static let form = NameForm.words

    /// The name as text.
    package let text: String

    /// Checks a text; `nil` if it doesn't have the form of a name.
    package init?(_ text: String) {
        // The texts of the standard names are literals, which aren't counted references: most users have one of them.
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
