package import DeepLinkCore
package import DeepLinkFormats

/// The state of one user: the level and the grants, with their ends.
package struct UserState: Hashable, Sendable {
    /// The user with this state.
    package let id: UserID

    /// The written level and grants.
    package var access: UserAccess

    /// The number of changes of this user, from 1.
    ///
    /// Deleting the user does not reset it.
    package let version: Int

    /// The time of the last write.
    package let updatedAt: Timestamp

    /// The effective times of the level and the grants.
    ///
    /// A write with an earlier effective time changes nothing.
    package let timestamps: AccessTimestamps

    /// Creates a state.
    package init(id: UserID, access: UserAccess, version: Int, updatedAt: Timestamp, timestamps: AccessTimestamps) {
        self.id = id
        self.access = access
        self.version = version
        self.updatedAt = updatedAt
        self.timestamps = timestamps
    }

    /// Creates the state of a user without grants.
    ///
    /// Without `asOf`, the effective time of the level is its last change.
    package init(id: UserID, level: LevelAssignment, version: Int, updatedAt: Timestamp, asOf: Timestamp? = nil) {
        self.init(
            id: id,
            access: UserAccess(level: level),
            version: version,
            updatedAt: updatedAt,
            timestamps: AccessTimestamps(level: asOf ?? updatedAt)
        )
    }

    /// The level as responses show it, which is the lowest for a user to whom only grants were written.
    package var level: LevelAssignment { access.level ?? .unwritten }

    /// The effective time of the level, or `nil` if none was written.
    package var asOf: Timestamp? { timestamps.level }

    /// Returns the level at a time: the written level, or after `validUntil` the one that follows it.
    package func level(at time: Timestamp, in ladder: LevelLadder) -> AuthorizationLevel {
        access.level(at: time, in: ladder)
    }
}

/// The effective times of the parts of a user's access, each from the last write of the part.
///
/// A removed part keeps its effective time, so that a write which arrives late doesn't restore it.
package struct AccessTimestamps: Hashable, Sendable {
    /// The effective time of the last write of the level, or of the deletion of the user, or `nil` before the first.
    package var level: Timestamp?

    /// The effective time of the last write of all grants together, or of the deletion of the user, or `nil` before the
    /// first.
    package var grants: Timestamp?

    /// The effective times of later writes of single grants, including removals.
    package private(set) var each: [GrantName: Timestamp] = [:]

    /// Returns the effective time of the last write of a grant, alone or with all grants, or `nil` before the first.
    package func effectiveTime(of name: GrantName) -> Timestamp? {
        guard let own = each[name] else { return grants }
        return max(own, grants ?? own)
    }

    /// The latest effective time, or `nil` if there is none.
    package var latest: Timestamp? {
        let parts = [level, grants].compactMap(\.self).max()
        guard !each.isEmpty else { return parts }
        return each.values.reduce(parts) { max($0 ?? $1, $1) }
    }

    /// Sets the effective time of a write of a grant.
    package mutating func set(_ effectiveTime: Timestamp, of name: GrantName) { each[name] = effectiveTime }

    /// Raises each effective time to the other one, if that is later.
    package mutating func raise(to other: AccessTimestamps) {
        level = [level, other.level].compactMap(\.self).max()
        each.merge(other.each) { max($0, $1) }
        if let all = [grants, other.grants].compactMap(\.self).max() { setAll(all) }
    }

    /// Sets the effective time of a write of all grants.
    ///
    /// Earlier times of single grants are dropped.
    package mutating func setAll(_ effectiveTime: Timestamp) {
        grants = effectiveTime
        if !each.isEmpty { each = each.filter { $0.value > effectiveTime } }
    }
}

/// The name of a user: 1 to 256 bytes of UTF-8 without control characters, not `.` or `..`, compared as bytes.
///
/// Clients remove `.` and `..` as a segment of a path before they send a request, also percent-encoded (URL Standard,
/// "single-dot URL path segment"), so HTTP could not reach the states of such users.
package struct UserID: Hashable, Sendable {
    /// The maximum length of an id, in bytes.
    package static let maximumByteCount = 256

    /// The id as text.
    package let text: String

    /// Validates a text, or returns `nil` if it is empty, too long, a dot segment or contains a control character
    /// (U+0000–001F, U+007F–009F).
    package init?(_ text: String) {
        self.init(stored: text)
        guard !isDotSegment else { return nil }
    }

    /// Validates the text of a stored id.
    ///
    /// `.` and `..` are accepted, because earlier versions stored them.
    package init?(stored text: String) {
        guard !text.isEmpty, text.utf8.count <= Self.maximumByteCount,
            !text.unicodeScalars.contains(where: { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) })
        else { return nil }
        self.text = text
    }

    /// Whether the id is `.` or `..`, which new states cannot have.
    package var isDotSegment: Bool { text.utf8.count <= 2 && text.utf8.allSatisfy { $0 == UInt8(ascii: ".") } }

    /// Compares the bytes of the ids.
    package static func == (left: UserID, right: UserID) -> Bool {
        left.text.bytewise == right.text.bytewise
    }

    /// Hashes the bytes of the id.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(text.bytewise)
    }
}

/// The user that a request names in its fields, in a header, or in both.
package enum RequestedUser {
    /// Parses a user's id.
    package static func id(_ text: String, field: String) throws(Problem) -> UserID {
        guard let id = UserID(text) else {
            throw .invalidValue(
                field: field,
                detail:
                    "A user id is 1 to \(UserID.maximumByteCount) bytes of UTF-8 without control characters, not `.` or `..`."
            )
        }
        return id
    }
}

/// The level and the grants of a user, each with its end.
package struct UserAccess: Hashable, Sendable {
    /// The level with its end, or `nil` if none was written, which means the lowest.
    package var level: LevelAssignment?

    /// The grants in the order of their names' bytes, including expired ones.
    package private(set) var grants: [GrantAssignment]

    /// Creates the access of a user from grants in any order.
    ///
    /// If several have the same name, the last one is used.
    package init(level: LevelAssignment?, grants: [GrantAssignment] = []) {
        self.level = level
        self.grants = []
        for grant in grants { hold(grant) }
    }

    /// Creates the access of a user from grants that are already in the order of their names.
    package init(level: LevelAssignment?, sorted grants: [GrantAssignment]) {
        self.level = level
        self.grants = grants
    }

    /// Returns the level at a time.
    package func level(at time: Timestamp, in ladder: LevelLadder) -> AuthorizationLevel {
        level?.level(at: time, in: ladder) ?? .lowest
    }

    /// Returns the valid level and grants of a catalog at a time.
    ///
    /// Names that the catalog lacks, and grants that only the app asserts, are ignored.
    package func permissions(at time: Timestamp, in catalog: RouteCatalog) -> Permissions {
        let level = level(at: time, in: catalog.levels)
        // Most users have no grants, and neither do most catalogs.
        guard !grants.isEmpty, !catalog.grants.isEmpty else { return Permissions(level: level) }
        let held = catalog.grants.set(grants.lazy.filter { $0.isHeld(at: time) }.map(\.name))
        return Permissions(level: level, grants: held.subtracting(catalog.grants.fromApp))
    }

    /// Returns the grants that are valid at a time, in the order of their names.
    package func grants(at time: Timestamp) -> [GrantAssignment] {
        // Most users have none, so there is nothing to filter.
        grants.isEmpty ? [] : grants.filter { $0.isHeld(at: time) }
    }

    /// Returns whether the user holds a valid grant at a time.
    package func holds(_ name: GrantName, at time: Timestamp) -> Bool {
        grants.contains { $0.name == name && $0.isHeld(at: time) }
    }

    /// Adds a grant, replacing one with the same name.
    package mutating func hold(_ grant: GrantAssignment) {
        let place = grants.firstIndex { $0.name.text.bytewise >= grant.name.text.bytewise } ?? grants.endIndex
        if place < grants.endIndex, grants[place].name == grant.name {
            grants[place] = grant
        } else {
            grants.insert(grant, at: place)
        }
    }

    /// Removes a grant, if the user holds it.
    package mutating func drop(_ name: GrantName) {
        grants.removeAll { $0.name == name }
    }

    /// Removes the grants that have expired at a time.
    package mutating func dropEnded(at time: Timestamp) {
        guard !grants.isEmpty else { return }
        grants.removeAll { !$0.isHeld(at: time) }
    }

    /// Returns the access without the grants that have expired at a time.
    package func droppingEnded(at time: Timestamp) -> UserAccess {
        UserAccess(level: level, sorted: grants(at: time))
    }
}

/// One change of a user's state, as stored in the history.
package struct UserChange: Hashable, Sendable {
    /// The version that the change made.
    ///
    /// The versions of one user increase by one.
    package let version: Int

    /// The level and the grants after the change, always with a level, or `nil` if the state was deleted.
    package var access: UserAccess?

    /// The time of the change.
    package let at: Timestamp

    /// The author of the change.
    package let author: String

    /// The effective time of the change, if it differs from the time of the write.
    package let asOf: Timestamp?

    /// Creates a change.
    ///
    /// If no level was written, it has the lowest.
    package init(version: Int, access: UserAccess?, at: Timestamp, author: String, asOf: Timestamp? = nil) {
        self.version = version
        self.access = access.map { UserAccess(level: $0.level ?? .unwritten, sorted: $0.grants) }
        self.at = at
        self.author = author
        self.asOf = asOf
    }

    /// The level after the change, or `nil` if the state was deleted.
    package var level: LevelAssignment? { access?.level }
}

/// A level that a user has, possibly for a limited time.
///
/// Levels are stored by name, and converted to levels of a catalog's ladder when they are read.
package struct LevelAssignment: Hashable, Sendable {
    /// The level until its end.
    package let level: LevelName

    /// The level after the end, either written or fixed with the write.
    private let after: LevelName?

    /// The last time at which ``level`` is valid, or `nil` if it does not expire.
    package let validUntil: Timestamp?

    /// Whether ``after`` was fixed with the write, and isn't shown.
    private let isAfterImplied: Bool

    /// Creates a level with its end from their stored parts.
    package init(
        of level: LevelName,
        validUntil: Timestamp?,
        levelAfter: LevelName?,
        impliedLevelAfter: LevelName? = nil
    ) {
        self.level = level
        self.validUntil = validUntil
        after = levelAfter ?? impliedLevelAfter
        isAfterImplied = levelAfter == nil && impliedLevelAfter != nil
    }

    /// The level of users without a written level: `none`, which is the lowest of every ladder.
    package static let unwritten = LevelAssignment(of: LevelLadder.standard.names[0], validUntil: nil, levelAfter: nil)

    /// The level after the end as it was written, or `nil` if there is none.
    package var levelAfter: LevelName? { isAfterImplied ? nil : after }

    /// The level after the end that was fixed by a write which named none.
    ///
    /// It is stored, and not shown.
    package var impliedLevelAfter: LevelName? { isAfterImplied ? after : nil }

    /// Returns whether the end has passed.
    package func hasEnded(at time: Timestamp) -> Bool { validUntil.map { time > $0 } ?? false }

    /// Returns the level at a time.
    ///
    /// A name that the ladder doesn't have counts as the lowest level. A level after the end that ranks above the level
    /// counts as that level.
    package func level(at time: Timestamp, in ladder: LevelLadder) -> AuthorizationLevel {
        level(in: ladder, hasEnded: hasEnded(at: time))
    }

    /// Returns the level before or after the end.
    package func level(in ladder: LevelLadder, hasEnded: Bool) -> AuthorizationLevel {
        let level = ladder.level(stored: level) ?? .lowest
        guard hasEnded else { return level }
        // Without a name, the row was written manually.
        guard let after else { return ladder.oneLower(than: level) }
        return min(ladder.level(stored: after) ?? .lowest, level)
    }

    /// Returns the name of the level at a time, without a ladder.
    package func name(at time: Timestamp) -> LevelName {
        guard hasEnded(at: time) else { return level }
        return after ?? LevelLadder.standard.name(of: level(in: .standard, hasEnded: true))
    }

    /// Returns the level with its names replaced.
    package func renamed(_ name: (LevelName) -> LevelName) -> LevelAssignment {
        LevelAssignment(
            of: name(level),
            validUntil: validUntil,
            levelAfter: levelAfter.map(name),
            impliedLevelAfter: impliedLevelAfter.map(name)
        )
    }
}

extension LevelLadder {
    /// Returns a level with its end, which fixes the level after its end by name, or returns `nil` if that would be
    /// higher than the level.
    package func heldLevel(
        of level: AuthorizationLevel,
        validUntil: Timestamp? = nil,
        levelAfter: AuthorizationLevel? = nil
    ) -> LevelAssignment? {
        guard (levelAfter ?? .lowest) <= level else { return nil }
        let isFixed = validUntil != nil && levelAfter == nil
        return LevelAssignment(
            of: name(of: level),
            validUntil: validUntil,
            levelAfter: levelAfter.map(name(of:)),
            impliedLevelAfter: isFixed ? name(of: oneLower(than: level)) : nil
        )
    }
}
