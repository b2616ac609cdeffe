import Foundation

/// The session of the app's user, by the app's own means; here it is kept on the device, and its backend is left out.
nonisolated enum Session {
    /// The user who is signed in.
    static var user: String? {
        get { UserDefaults.standard.string(forKey: "user") }
        set { UserDefaults.standard.set(newValue, forKey: "user") }
    }

    /// Returns the JSON Web Token of the app's identity provider; `nil` for nobody.
    static func token() async -> String? { nil }

    /// The levels that the app asserts, signed in or not: `from: app` in the catalog.
    static var holds: [String] { UserDefaults.standard.bool(forKey: "introduced") ? ["onboardingCompleted"] : [] }

    /// Notes that the introduction was seen on this device; signing out leaves that.
    static func introduce() -> Bool {
        UserDefaults.standard.set(true, forKey: "introduced")
        return true
    }

    /// Signs the user in; returns whether the backend has.
    static func signIn() async -> Bool {
        user = "ada"
        return true
    }

    /// Buys the premium level, which arrives some time later.
    static func buy() async -> Bool { true }
}
