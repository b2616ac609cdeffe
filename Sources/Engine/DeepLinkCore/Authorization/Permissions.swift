/// The level and the grants that a user has.
package struct Permissions: Hashable, Sendable {
    /// The access level.
    package var level: AuthorizationLevel

    /// The grants, by the list of the catalog.
    package var grants: GrantSet

    /// Creates the permissions of a user, without grants by default.
    package init(level: AuthorizationLevel = .lowest, grants: GrantSet = []) {
        self.level = level
        self.grants = grants
    }

    /// The permissions of an unknown user: the lowest level, and no grants.
    package static let none = Permissions()

    /// The permissions that open every route of every catalog.
    package static var all: Permissions { Permissions(level: .highest, grants: .all) }

    /// Returns the union of both permissions: the higher level, and all grants.
    package func joined(with other: Permissions) -> Permissions {
        Permissions(level: max(level, other.level), grants: grants.union(other.grants))
    }

    /// Returns the permissions of a user after a gate, with the level or the grant that it gives.
    package func adding(_ attainment: Attainment) -> Permissions {
        switch attainment {
        case .level(let level): joined(with: Permissions(level: level))
        case .grant(let grant): joined(with: Permissions(grants: GrantSet(grant)))
        }
    }
}

/// A grant of a catalog: a named fact about a user, such as `pro`, with its own gate.
///
/// A grant has a name in its catalog (``GrantList``). Grants of different catalogs are compared by name.
package struct Grant: Hashable, Sendable {
    /// The index among the grants that the catalog declares, below ``GrantList/maximumCount``.
    package let place: UInt8

    /// Creates the grant at an index.
    package init(place: UInt8) {
        self.place = place
    }
}

/// A set of a catalog's grants, with one bit for each.
///
/// ```swift
/// let needed: GrantSet = [GrantSet(Grant(place: 0)), GrantSet(Grant(place: 2))]
/// needed.grants.map(\.place)  // [0, 2]
/// ```
package struct GrantSet: OptionSet, Hashable, Sendable {
    /// The bits.
    package let rawValue: UInt32

    /// Creates a set from its bits.
    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// Creates the set of one grant.
    package init(_ grant: Grant) {
        self.init(rawValue: 1 << UInt32(grant.place))
    }

    /// All grants of any catalog.
    package static var all: GrantSet { GrantSet(rawValue: .max) }

    /// Returns whether a grant is in the set.
    package func contains(_ grant: Grant) -> Bool { contains(GrantSet(grant)) }

    /// The grants, in the order of the catalog's declaration.
    package var grants: [Grant] {
        (0..<UInt8(GrantList.maximumCount)).map(Grant.init(place:)).filter(contains)
    }
}

/// The permissions of one user in two catalogs.
package struct PermissionsPair: Hashable, Sendable {
    /// The permissions in the former catalog.
    package let old: Permissions

    /// The permissions in the new catalog.
    package let new: Permissions

    /// Creates a pair.
    package init(old: Permissions, new: Permissions) {
        self.old = old
        self.new = new
    }
}

/// The level and the grants that a destination, or a whole stack, requires.
///
/// Requirements form a semilattice: joining is associative, commutative and idempotent, and ``none`` is neutral.
package struct Requirement: Hashable, Sendable {
    /// The level that the user needs.
    package var level: AuthorizationLevel

    /// The grants that the user needs, all of them.
    package var grants: GrantSet

    /// Creates a requirement, which every user meets by default.
    package init(level: AuthorizationLevel = .lowest, grants: GrantSet = []) {
        self.level = level
        self.grants = grants
    }

    /// The requirement that every user meets.
    package static let none = Requirement()

    /// Returns the union of both requirements: the higher level, and all grants.
    package func joined(with other: Requirement) -> Requirement {
        Requirement(level: max(level, other.level), grants: grants.union(other.grants))
    }

    /// Returns whether a user with some permissions meets the requirement.
    package func isMet(by permissions: Permissions) -> Bool {
        level <= permissions.level && grants.isSubset(of: permissions.grants)
    }
}

/// The level or the grant that a user obtains at a gate.
package enum Attainment: Hashable, Sendable {
    /// An access level, with all lower levels.
    case level(AuthorizationLevel)

    /// A single grant.
    case grant(Grant)

    /// The level, or `nil` for a grant.
    package var level: AuthorizationLevel? {
        if case .level(let level) = self { level } else { nil }
    }

    /// The grant, or `nil` for a level.
    package var grant: Grant? {
        if case .grant(let grant) = self { grant } else { nil }
    }

    /// Returns whether a requirement includes the level or the grant, and the permissions lack it.
    ///
    /// A level below the required one is included too, since each level includes all lower levels.
    package func isMissing(in permissions: Permissions, for requirement: Requirement) -> Bool {
        switch self {
        case .level(let level): level > permissions.level && level <= requirement.level
        case .grant(let grant): requirement.grants.contains(grant) && !permissions.grants.contains(grant)
        }
    }

    /// Returns the catalog's name of the level or the grant.
    package func text(in levels: LevelLadder, _ grants: GrantList) -> String {
        switch self {
        case .level(let level): levels.text(of: level)
        case .grant(let grant): grants.text(of: grant)
        }
    }
}

/// The source of a user's effective level.
package enum LevelSource: String, Sendable {
    /// The stored state.
    case state

    /// The user's own token, with a higher level than the stored state.
    case token

    /// The app, which asserts a higher level than the stored state and the token.
    case app
}

/// A version of an app on a platform, such as `ios/3.1.0`.
///
/// ```swift
/// let app = AppVersion("ios/3.1.0")
/// app?.platform  // .ios
/// app?.text  // "ios/3.1.0"
/// AppVersion("3.1.0")  // nil
/// ```
public struct AppVersion: Hashable, Sendable {
    /// The platform of an app.
    ///
    /// ```swift
    /// AppVersion.Platform(rawValue: "android")  // .android
    /// ```
    public enum Platform: String, CaseIterable, Sendable {
        case ios
        case android
    }

    /// The platform that the app runs on.
    public let platform: Platform

    /// The version, without any suffix.
    package let number: VersionNumber

    /// Parses `platform/number.number…`, or returns `nil` for any other text.
    ///
    /// Only the first four numbers count, and a suffix such as `-dev` or `+215` is ignored: builds have suffixes, and a
    /// catalog names released versions.
    ///
    /// ```swift
    /// AppVersion("ios/0.9.7-dev")?.text  // "ios/0.9.7"
    /// ```
    public init?(_ text: String) {
        let parts = text.utf8.split(separator: ASCII.slash, omittingEmptySubsequences: false)
        guard parts.count == 2, let platform = Platform(bytewise: Substring(parts[0])),
            let number = VersionNumber(ofBuild: parts[1])
        else { return nil }
        self.platform = platform
        self.number = number
    }

    /// The platform and the version, without any suffix.
    public var text: String { "\(platform.rawValue)/\(number.text)" }
}

/// The platform of a visitor's device, on which a page depends.
package enum DevicePlatform: String, CaseIterable, Sendable {
    /// iPhones and iPads.
    case ios

    /// Android phones and tablets.
    case android

    /// All others, and unknown ones.
    case desktop
}

/// The app versions that a destination requires, by platform: older ones do not have it.
package struct RequiredApps: Hashable, Sendable {
    /// No required version.
    package static var none: RequiredApps { RequiredApps() }

    /// The version on Apple's platforms, or `nil` for any.
    package let ios: VersionNumber?

    /// The version on Android, or `nil` for any.
    package let android: VersionNumber?

    /// Creates requirements, which accept any version by default.
    package init(ios: VersionNumber? = nil, android: VersionNumber? = nil) {
        self.ios = ios
        self.android = android
    }

    /// Whether any version of any app is accepted.
    package var isEmpty: Bool { ios == nil && android == nil }

    /// The version on a platform, or `nil` for any.
    package subscript(platform: AppVersion.Platform) -> VersionNumber? {
        switch platform {
        case .ios: ios
        case .android: android
        }
    }

    /// The platforms with a required version, and that version.
    package var versions: [(platform: AppVersion.Platform, number: VersionNumber)] {
        AppVersion.Platform.allCases.compactMap { platform in self[platform].map { (platform, $0) } }
    }

    /// Returns whether a version of an app is accepted.
    package func allow(_ app: AppVersion) -> Bool { self[app.platform].map { app.number >= $0 } ?? true }

    /// Returns the combined requirements: on each platform, the later version.
    package func merged(with other: RequiredApps) -> RequiredApps {
        RequiredApps(ios: Self.later(ios, other.ios), android: Self.later(android, other.android))
    }

    private static func later(_ one: VersionNumber?, _ other: VersionNumber?) -> VersionNumber? {
        guard let one, let other else { return one ?? other }
        return max(one, other)
    }
}
