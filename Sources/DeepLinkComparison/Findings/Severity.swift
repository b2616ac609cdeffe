import DeepLinkCore

/// How bad a change is for someone, the least bad first.
package enum Severity: CaseIterable, Comparable, Sendable {
    /// Nobody is harmed.
    case info

    /// Someone may be harmed: a person decides.
    case risk

    /// Someone is harmed.
    case breaking

    /// The name that stands in reports and on the command line.
    package var name: String {
        switch self {
        case .info: "info"
        case .risk: "risk"
        case .breaking: "break"
        }
    }

    /// Reads a name; `nil` for any other text.
    package init?(name: String) {
        guard let severity = Self.allCases.first(where: { $0.name.bytewise == name.bytewise }) else { return nil }
        self = severity
    }
}
