import Foundation

/// The session of the app's user, by the app's own means; here it is kept on the device, and its backend is left out.
nonisolated enum Session {
    /// The user who is signed in, or who has only been introduced.
    static var user: String? {
        get { UserDefaults.standard.string(forKey: "user") }
        set { UserDefaults.standard.set(newValue, forKey: "user") }
    }

    /// Returns the JSON Web Token of the app's identity provider; `nil` for nobody.
    static func token() async -> String? { nil }

    /// Notes that this device has seen the introduction; returns whether the backend has.
    static func introduce() async -> Bool {
        user = "device-\(UUID().uuidString)"
        return true
    }

    /// Signs the user in.
    static func signIn() async -> Bool {
        user = "ada"
        return true
    }

    /// Buys the premium level, which arrives some time later.
    static func buy() async -> Bool { true }
}
