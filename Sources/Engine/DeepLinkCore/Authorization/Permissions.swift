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

/// A version of an app on a platform, such as `ios/3.1.0`, or `driver.ios/3.1.0` for an app with a name.
///
/// ```swift
/// let app = AppVersion("ios/3.1.0")
/// app?.platform  // .ios
/// app?.text  // "ios/3.1.0"
/// AppVersion("3.1.0")  // nil
/// ```
public struct AppVersion: Sendable {
    /// The platform of an app.
    ///
    /// ```swift
    /// AppVersion.Platform(rawValue: "android")  // .android
    /// ```
    public enum Platform: String, CaseIterable, Sendable {
        case ios
        case android
    }

    /// The name of the app in the catalog, or `nil` if the request does not name it.
    ///
    /// ```swift
    /// AppVersion("driver.ios/3.1.0")?.name  // "driver"
    /// ```
    public let name: String?

    /// The platform that the app runs on.
    public let platform: Platform

    /// The version, without any suffix, or `nil` if the app does not know its own.
    package let number: VersionNumber?

    /// Parses `platform/number.number…` or `name.platform/number.number…`, or returns `nil` for any other text.
    ///
    /// A name has the form of the names in a catalog's `apps`. Only the first four numbers count, and a suffix such as
    /// `-dev` or `+215` is ignored: builds have suffixes, and a catalog names released versions.
    ///
    /// ```swift
    /// AppVersion("ios/0.9.7-dev")?.text  // "ios/0.9.7"
    /// ```
    public init?(_ text: String) {
        let parts = text.utf8.split(separator: ASCII.slash, omittingEmptySubsequences: false)
        guard parts.count == 2, let number = VersionNumber(ofBuild: parts[1]) else { return nil }
        let names = parts[0].split(separator: ASCII.dot, omittingEmptySubsequences: false)
        guard names.count <= 2, let last = names.last, let platform = Platform(bytewise: Substring(last)) else {
            return nil
        }
        if names.count == 2 {
            guard AppIndex.accepts(name: names[0]) else { return nil }
            name = String(Substring(names[0]))
        } else {
            name = nil
        }
        self.platform = platform
        self.number = number
    }

    private init(name: String?, platform: Platform) {
        self.name = name
        self.platform = platform
        number = nil
    }

    /// The same app without its version, which every required version accepts.
    package var withoutVersion: AppVersion { AppVersion(name: name, platform: platform) }

    /// The name, if there is one, the platform and the version, without any suffix.
    ///
    /// The version of an app that does not know its own is 0.
    public var text: String { "\(textWithoutNumber)/\(number?.text ?? "0")" }

    /// The name, if there is one, and the platform.
    package var textWithoutNumber: String { name.map { "\($0).\(platform.rawValue)" } ?? platform.rawValue }
}

extension AppVersion: Hashable {
    /// Compares the names byte by byte, the platforms and the versions.
    public static func == (left: AppVersion, right: AppVersion) -> Bool {
        left.name?.bytewise == right.name?.bytewise && left.platform == right.platform && left.number == right.number
    }

    /// Hashes the platform and the version.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(platform)
        hasher.combine(number)
    }
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
///
/// The version of a platform holds for every app. A named app may require a version of its own in addition, and then the
/// later one counts.
package struct RequiredApps: Hashable, Sendable {
    /// The version of a named app on one platform.
    package struct NamedVersion: Hashable, Sendable {
        /// The app.
        package let app: AppIndex

        /// The platform.
        package let platform: AppVersion.Platform

        /// The first version that has the destination.
        package let number: VersionNumber

        /// Creates the version of an app on a platform.
        package init(of app: AppIndex, on platform: AppVersion.Platform, _ number: VersionNumber) {
            self.app = app
            self.platform = platform
            self.number = number
        }

        /// The order in which clients see the versions.
        fileprivate var rank: (UInt8, Int) { (app.place, platform == .ios ? 0 : 1) }
    }

    /// No required version.
    package static var none: RequiredApps { RequiredApps() }

    /// The version on Apple's platforms, or `nil` for any.
    package let ios: VersionNumber?

    /// The version on Android, or `nil` for any.
    package let android: VersionNumber?

    /// The versions of named apps, by app and then by platform, at most one for each.
    package let named: [NamedVersion]

    /// Creates requirements, which accept any version by default.
    ///
    /// - Parameters:
    ///   - ios: the version of every app on Apple's platforms.
    ///   - android: the version of every app on Android.
    ///   - named: the versions of named apps, in any order, at most one for each app and platform.
    package init(ios: VersionNumber? = nil, android: VersionNumber? = nil, named: [NamedVersion] = []) {
        self.ios = ios
        self.android = android
        self.named = named.count > 1 ? named.sorted { $0.rank < $1.rank } : named
    }

    /// Whether any version of any app is accepted.
    package var isEmpty: Bool { ios == nil && android == nil && named.isEmpty }

    /// The version of every app on a platform, or `nil` for any.
    package subscript(platform: AppVersion.Platform) -> VersionNumber? {
        switch platform {
        case .ios: ios
        case .android: android
        }
    }

    /// The version of an app on a platform, or `nil` for any: the later one of every app's and its own.
    ///
    /// - Parameters:
    ///   - platform: the platform.
    ///   - app: the named app, or `nil` for an app without a name.
    package subscript(platform: AppVersion.Platform, of app: AppIndex?) -> VersionNumber? {
        guard let app, !named.isEmpty else { return self[platform] }
        return Self.later(self[platform], named.first { $0.app == app && $0.platform == platform }?.number)
    }

    /// Returns whether a version of an app is accepted, as an app that does not know its version is.
    ///
    /// The app is `nil` for one without a name.
    package func allow(_ version: AppVersion, of app: AppIndex? = nil) -> Bool {
        guard let number = version.number, let required = self[version.platform, of: app] else { return true }
        return number >= required
    }

    /// Returns the combined requirements: on each platform, and for each named app, the later version.
    package func merged(with other: RequiredApps) -> RequiredApps {
        var named = named
        for version in other.named {
            let place = named.firstIndex { $0.app == version.app && $0.platform == version.platform }
            guard let place else {
                named.append(version)
                continue
            }
            if named[place].number < version.number { named[place] = version }
        }
        return RequiredApps(
            ios: Self.later(ios, other.ios),
            android: Self.later(android, other.android),
            named: named
        )
    }

    private static func later(_ one: VersionNumber?, _ other: VersionNumber?) -> VersionNumber? {
        guard let one, let other else { return one ?? other }
        return max(one, other)
    }
}
