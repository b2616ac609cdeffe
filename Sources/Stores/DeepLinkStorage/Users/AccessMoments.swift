package import DeepLinkCore

/// The moments as of which the parts of a user's access count, each by the last write of that part.
///
/// A part that was removed keeps its moment, so that a write which arrives late doesn't bring it back.
package struct AccessMoments: Hashable, Sendable {
    /// The moment of the last write of the level, or of the deletion of the user; `nil` before the first.
    package var level: Timestamp?

    /// The moment of the last write of all grants together, or of the deletion of the user; `nil` before the first.
    package var grants: Timestamp?

    /// The moments of later writes of single grants, removals included.
    package private(set) var each: [GrantName: Timestamp]

    /// Creates moments from their parts.
    package init(level: Timestamp? = nil, grants: Timestamp? = nil, each: [GrantName: Timestamp] = [:]) {
        self.level = level
        self.grants = grants
        self.each = each
    }

    /// Returns the moment of the last write that concerns a grant; `nil` before the first.
    package func moment(of name: GrantName) -> Timestamp? {
        guard let own = each[name] else { return grants }
        return max(own, grants ?? own)
    }

    /// The latest moment; `nil` without any.
    package var latest: Timestamp? {
        let parts = [level, grants].compactMap(\.self).max()
        guard !each.isEmpty else { return parts }
        return each.values.reduce(parts) { max($0 ?? $1, $1) }
    }

    /// Sets the moment of a write of a grant.
    package mutating func set(_ moment: Timestamp, of name: GrantName) { each[name] = moment }

    /// Raises each moment to the one of other moments, where that is later.
    package mutating func raise(to other: AccessMoments) {
        level = [level, other.level].compactMap(\.self).max()
        each.merge(other.each) { max($0, $1) }
        if let all = [grants, other.grants].compactMap(\.self).max() { setAll(all) }
    }

    /// Sets the moment of a write of all grants; those of single grants that aren't later are no longer needed.
    package mutating func setAll(_ moment: Timestamp) {
        grants = moment
        if !each.isEmpty { each = each.filter { $0.value > moment } }
    }
}
