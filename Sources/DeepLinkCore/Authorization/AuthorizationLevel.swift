/// A user's authorization level: `none` < `onboardingCompleted` < `signedInUser` < `premiumUser`.
///
/// Levels form a ladder: each includes all lower ones. The names are the same in catalogs, JSON and on the command
/// line.
///
/// ```swift
/// AuthorizationLevel(name: "signedInUser")  // .signedInUser
/// AuthorizationLevel.signedInUser < .premiumUser  // true
/// AuthorizationLevel.premiumUser.name  // "premiumUser"
/// ```
public enum AuthorizationLevel: UInt8, CaseIterable, Comparable, Sendable {
    /// Nothing is known about the user.
    case none

    /// The user has completed the onboarding.
    case onboardingCompleted

    /// The user has signed in.
    case signedInUser

    /// The user has paid.
    case premiumUser

    /// The highest level, which opens every route.
    package static var highest: AuthorizationLevel { .premiumUser }

    /// Parses a level's name; `nil` for any other text.
    public init?(name: String) {
        guard let level = Self.allCases.first(where: { $0.name.bytewise == name.bytewise }) else { return nil }
        self = level
    }

    /// The name in catalogs, JSON and on the command line.
    public var name: String {
        switch self {
        case .none: "none"
        case .onboardingCompleted: "onboardingCompleted"
        case .signedInUser: "signedInUser"
        case .premiumUser: "premiumUser"
        }
    }

    /// The next lower level; `none` for `none`.
    package var oneLower: AuthorizationLevel { AuthorizationLevel(rawValue: rawValue &- 1) ?? .none }

    /// Orders the lower level first.
    public static func < (left: AuthorizationLevel, right: AuthorizationLevel) -> Bool {
        left.rawValue < right.rawValue
    }
}
