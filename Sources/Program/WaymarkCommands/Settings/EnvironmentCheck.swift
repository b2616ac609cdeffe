import DeepLinkCore

/// A check for environment variables that look like settings but have an unknown name.
enum EnvironmentCheck {
    private static let prefix = "WAYMARK_"

    /// The variables that orchestrators set for a service named `waymark`
    /// (https://kubernetes.io/docs/concepts/services-networking/service/#environment-variables), and the variables of
    /// tests.
    private static let exempt = ["WAYMARK_PORT", "WAYMARK_BINARY"]
    private static let exemptPrefixes = ["WAYMARK_SERVICE_", "WAYMARK_PORT_", "WAYMARK_TEST_"]

    /// Returns the variables without effect, sorted by name.
    ///
    /// - Throws: ``CommandError`` if one is so similar to a setting that it is a typing error.
    static func unknownVariables(of environment: [String: String]) throws(CommandError) -> [String] {
        let known = Setting.allCases.map(\.variable) + ["WAYMARK_CONFIG"]
        let unknown = environment.keys
            .filter { name in
                name.utf8.starts(with: prefix.utf8) && !isExempt(name)
                    && !known.contains { $0.bytewise == name.bytewise }
            }
            .sorted { $0.bytewise < $1.bytewise }
        let endings = known.map { String($0.dropFirst(prefix.count)) }
        for name in unknown {
            // With the common prefix, all of them would be similar.
            let ending = String(name.utf8.dropFirst(prefix.utf8.count)) ?? ""
            guard let meant = SpellingSuggestion.closest(to: ending, among: endings) else { continue }
            throw CommandError.usage(
                "the environment variable `\(name)` isn't a setting; did you mean `\(prefix)\(meant)`? Rename or unset it."
            )
        }
        return unknown
    }

    private static func isExempt(_ name: String) -> Bool {
        exempt.contains { $0.bytewise == name.bytewise } || exemptPrefixes.contains { name.utf8.starts(with: $0.utf8) }
    }
}
