/// One located fault of a catalog, with what would mend it.
public struct CatalogIssue: Hashable, Sendable {
    /// How grave a fault is.
    public enum Severity: String, Sendable {
        /// The catalog is refused for it.
        case error

        /// The catalog loads, and probably does not mean what it says.
        case warning
    }

    /// The place of the fault.
    public let location: SourceLocation

    /// The rule that is broken; stable, for tools.
    public let code: Code

    /// What is wrong, naming the thing.
    public let message: String

    /// What to write instead.
    public let hint: String

    /// Creates an issue from its parts.
    public init(_ code: Code, at location: SourceLocation, _ message: String, hint: String) {
        self.code = code
        self.location = location
        self.message = message
        self.hint = hint
    }
}

extension CatalogIssue {
    /// A rule that a catalog can break.
    public enum Code: String, CaseIterable, Sendable {
        /// The text is not YAML.
        case invalidYAML = "invalid-yaml"

        /// The file is larger or deeper than the loader takes.
        case tooLarge = "too-large"

        /// A mapping has a key that means nothing there.
        case unknownKey = "unknown-key"

        /// A mapping gives one key twice.
        case duplicateKey = "duplicate-key"

        /// A mapping uses YAML's merge key `<<`.
        case mergeKey = "merge-key"

        /// A mapping lacks a key it needs.
        case missingKey = "missing-key"

        /// A value is of the wrong YAML type.
        case wrongType = "wrong-type"

        /// A value is outside the ones allowed there.
        case invalidValue = "invalid-value"

        /// The catalog's `version` is not one that this program reads.
        case unsupportedVersion = "unsupported-version"

        /// An origin is incomplete, malformed or given twice.
        case invalidOrigin = "invalid-origin"

        /// A path pattern is malformed.
        case invalidPath = "invalid-path"

        /// A parameter's type, bounds, pattern or default contradict each other.
        case invalidParameter = "invalid-parameter"

        /// One place gives both `path` and `query`.
        case pathAndQuery = "path-and-query"

        /// `opens` or `entry` names a route that does not exist.
        case unknownRoute = "unknown-route"

        /// Nothing that starts at `entry` opens the route.
        case unreachableRoute = "unreachable-route"

        /// Some text matches two siblings of equal specificity.
        case ambiguousRoutes = "ambiguous-routes"

        /// Containers open each other in a circle, so a path would never end.
        case containerCycle = "container-cycle"

        /// A route other than `entry` opens a root.
        case rootOutsideEntry = "root-outside-entry"

        /// An alert or a confirmation dialog opens other routes.
        case dialogOpensRoutes = "dialog-opens-routes"

        /// An initial child cannot be shown without a value from the link.
        case initialNeedsParameter = "initial-needs-parameter"

        /// One route has two initial children, or initial children open each other in a circle.
        case initialConflict = "initial-conflict"

        /// Two query routes of one parent are opened by one key.
        case queryKeyConflict = "query-key-conflict"

        /// A gate's path leads nowhere.
        case gateUnresolved = "gate-unresolved"

        /// A gate requires the level it gives, or a higher one.
        case gateTooHigh = "gate-too-high"

        /// Some route needs a level that no gate gives.
        case missingGate = "missing-gate"

        /// A literal first segment is a path of the server's own.
        case reservedPath = "reserved-path"

        /// A parameter is declared, and the path has another one that it probably was meant for.
        case misnamedParameter = "misnamed-parameter"

        /// Nothing answers an empty path, in a catalog that has no initial child at all.
        case emptyPathUnanswered = "empty-path-unanswered"

        /// An app is named in a way that no platform has.
        case invalidApp = "invalid-app"

        /// What the web sees leads where the catalog does not allow it, or cannot be made of what a link says.
        case invalidWeb = "invalid-web"

        /// A link of a signed route would give another meaning to a key that its signature takes.
        case reservedKey = "reserved-key"

        /// A gate leads to a route that is only for links that are signed.
        case signedGate = "signed-gate"

        /// A route is kept in the browser, and what it opens needs the app.
        case openConflict = "open-conflict"

        /// Some links open in the app, or in the browser, although they should not: a platform's language cannot tell
        /// them from others.
        case associationInexact = "association-inexact"

        /// The catalog's links do not fit into an association file one by one.
        case associationCoarsened = "association-coarsened"

        /// How grave the fault is.
        public var severity: Severity {
            switch self {
            case .misnamedParameter, .emptyPathUnanswered, .associationInexact, .associationCoarsened: .warning
            default: .error
            }
        }
    }
}
