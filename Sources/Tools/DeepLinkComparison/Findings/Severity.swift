import DeepLinkCore

/// The severity of a change for an audience, in ascending order.
package enum Severity: CaseIterable, Comparable, Sendable {
    /// No harm.
    case info

    /// Possible harm, which a person has to judge.
    case risk

    /// Certain harm.
    case breaking

    /// The name in reports and on the command line.
    package var name: String {
        switch self {
        case .info: "info"
        case .risk: "risk"
        case .breaking: "break"
        }
    }

    /// Creates a severity from its name; `nil` for any other text.
    package init?(name: String) {
        guard let severity = Self.allCases.first(where: { $0.name.bytewise == name.bytewise }) else { return nil }
        self = severity
    }
}
