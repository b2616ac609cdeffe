package import DeepLinkCore

/// The state of one user: the level and the grants, with their ends.
package struct UserState: Hashable, Sendable {
    /// The user with this state.
    package let id: UserID

    /// The written level and grants.
    package let access: UserAccess

    /// The number of changes of this user, from 1.
    ///
    /// Deleting the user does not reset it.
    package let version: Int

    /// The time of the last write.
    package let updatedAt: Timestamp

    /// The effective times of the level and the grants.
    ///
    /// A write with an earlier effective time changes nothing.
    package let moments: AccessMoments

    /// Creates a state.
    package init(id: UserID, access: UserAccess, version: Int, updatedAt: Timestamp, moments: AccessMoments) {
        self.id = id
        self.access = access
        self.version = version
        self.updatedAt = updatedAt
        self.moments = moments
    }

    /// Creates the state of a user without grants.
    ///
    /// Without `asOf`, the effective time of the level is its last change.
    package init(id: UserID, level: HeldLevel, version: Int, updatedAt: Timestamp, asOf: Timestamp? = nil) {
        self.init(
            id: id,
            access: UserAccess(level: level),
            version: version,
            updatedAt: updatedAt,
            moments: AccessMoments(level: asOf ?? updatedAt)
        )
    }

    /// The level as responses show it, which is the lowest for a user to whom only grants were written.
    package var level: HeldLevel { access.level ?? .unwritten }

    /// The effective time of the level, or `nil` if none was written.
    package var asOf: Timestamp? { moments.level }

    /// Returns the level at a time: the written level, or after `validUntil` the one that follows it.
    package func level(at time: Timestamp, in ladder: LevelLadder) -> AuthorizationLevel {
        access.level(at: time, in: ladder)
    }
}

/// The effective times of the parts of a user's access, each from the last write of the part.
///
/// A removed part keeps its effective time, so that a write which arrives late doesn't restore it.
package struct AccessMoments: Hashable, Sendable {
    /// The effective time of the last write of the level, or of the deletion of the user, or `nil` before the first.
    package var level: Timestamp?

    /// The effective time of the last write of all grants together, or of the deletion of the user, or `nil` before the
    /// first.
    package var grants: Timestamp?

    /// The effective times of later writes of single grants, including removals.
    package private(set) var each: [GrantName: Timestamp] = [:]

    /// Returns the effective time of the last write of a grant, alone or with all grants, or `nil` before the first.
    package func moment(of name: GrantName) -> Timestamp? {
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
    package mutating func set(_ moment: Timestamp, of name: GrantName) { each[name] = moment }

    /// Raises each effective time to the other one, if that is later.
    package mutating func raise(to other: AccessMoments) {
        level = [level, other.level].compactMap(\.self).max()
        each.merge(other.each) { max($0, $1) }
        if let all = [grants, other.grants].compactMap(\.self).max() { setAll(all) }
    }

    /// Sets the effective time of a write of all grants.
    ///
    /// Earlier times of single grants are dropped.
    package mutating func setAll(_ moment: Timestamp) {
        grants = moment
        if !each.isEmpty { each = each.filter { $0.value > moment } }
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
