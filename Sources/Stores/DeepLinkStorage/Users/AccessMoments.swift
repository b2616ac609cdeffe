package import DeepLinkCore

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
    package private(set) var each: [GrantName: Timestamp]

    /// Creates effective times.
    package init(level: Timestamp? = nil, grants: Timestamp? = nil, each: [GrantName: Timestamp] = [:]) {
        self.level = level
        self.grants = grants
        self.each = each
    }

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
