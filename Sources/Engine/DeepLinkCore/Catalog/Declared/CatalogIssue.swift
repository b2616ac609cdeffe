/// One located issue of a catalog, with its remedy.
package struct CatalogIssue: Hashable, Sendable {
    /// The severity of an issue.
    package enum Severity: String, Sendable {
        /// The catalog is rejected.
        case error

        /// The catalog loads, but a declaration is probably a mistake.
        case warning
    }

    /// The location of the issue.
    package let location: SourceLocation

    /// The broken rule, a stable code for tools.
    package let code: Code

    /// The issue as text, with the name of the declaration.
    package let message: String

    /// The remedy.
    package let hint: String

    /// Creates an issue from its parts.
    package init(_ code: Code, at location: SourceLocation, message: String, hint: String) {
        self.code = code
        self.location = location
        self.message = message
        self.hint = hint
    }
}

extension [CatalogIssue] {
    /// Adds an issue.
    mutating func report(_ code: CatalogIssue.Code, at location: SourceLocation, message: String, hint: String) {
        append(CatalogIssue(code, at: location, message: message, hint: hint))
    }
}

extension CatalogIssue {
    /// A rule that a catalog can break.
    package enum Code: String, CaseIterable, Sendable {
        /// The text is not YAML.
        case invalidYAML = "invalid-yaml"

        /// The file exceeds the loader's limit of size or depth.
        case tooLarge = "too-large"

        /// A mapping has an unknown key.
        case unknownKey = "unknown-key"

        /// A mapping gives one key twice.
        case duplicateKey = "duplicate-key"

        /// A mapping uses YAML's merge key `<<`.
        case mergeKey = "merge-key"

        /// A mapping lacks a key it needs.
        case missingKey = "missing-key"

        /// A value is of the wrong YAML type.
        case wrongType = "wrong-type"

        /// A value is outside the allowed values.
        case invalidValue = "invalid-value"

        /// The program does not support the catalog's `version`.
        case unsupportedVersion = "unsupported-version"

        /// An origin is incomplete, malformed or given twice.
        case invalidOrigin = "invalid-origin"

        /// A pattern of `include` names no file.
        case unmatchedInclude = "unmatched-include"

        /// A pattern of `include` leads out of the catalog's folder, or the catalog has no folder.
        case includeOutside = "include-outside"

        /// A pattern of `include` names the catalog's own file.
        case includeCycle = "include-cycle"

        /// Two files of the catalog declare one route.
        case duplicateRoute = "duplicate-route"

        /// Two files of the catalog declare one group.
        case duplicateGroup = "duplicate-group"

        /// Two files of the catalog declare the gate of one level or grant.
        case duplicateGate = "duplicate-gate"

        /// A path pattern is malformed.
        case invalidPath = "invalid-path"

        /// A parameter's type, bounds, pattern or default contradict each other.
        case invalidParameter = "invalid-parameter"

        /// A declaration has both `path` and `query`.
        case pathAndQuery = "path-and-query"

        /// `opens`, a group or `entry` names a route that does not exist.
        case unknownRoute = "unknown-route"

        /// A route names a group that the catalog does not declare.
        case unknownGroup = "unknown-group"

        /// No path of edges from `entry` reaches the route.
        case unreachableRoute = "unreachable-route"

        /// Some text matches two siblings of equal specificity.
        case ambiguousRoutes = "ambiguous-routes"

        /// Containers open each other in a cycle, so a path would never end.
        case containerCycle = "container-cycle"

        /// A route other than `entry` opens a root.
        case rootOutsideEntry = "root-outside-entry"

        /// An alert or a confirmation dialog opens other routes.
        case dialogOpensRoutes = "dialog-opens-routes"

        /// An initial child cannot be shown without a value from the link.
        case initialNeedsParameter = "initial-needs-parameter"

        /// One route has two initial children, or initial children open each other in a cycle.
        case initialConflict = "initial-conflict"

        /// One key opens two query routes of the same parent.
        case queryKeyConflict = "query-key-conflict"

        /// A route or an edge requires a level that the catalog does not declare.
        case unknownLevel = "unknown-level"

        /// Two levels have one name, or one has the former name of another.
        case duplicateLevel = "duplicate-level"

        /// A route or an edge requires a grant that the catalog does not declare.
        case unknownGrant = "unknown-grant"

        /// Two grants have one name, or one has the former name of another, or a level's.
        case duplicateGrant = "duplicate-grant"

        /// A route requires a grant that no gate gives.
        case grantWithoutGate = "grant-without-gate"

        /// The gates of levels are not in the order of the ladder.
        case gateOrder = "gate-order"

        /// A gate's path does not resolve.
        case gateUnresolved = "gate-unresolved"

        /// A gate requires a level or a grant that only it or later gates give.
        case gateTooHigh = "gate-too-high"

        /// A route requires a level that no gate gives.
        case missingGate = "missing-gate"

        /// A literal first segment is one of the server's own paths.
        case reservedPath = "reserved-path"

        /// The path lacks a declared parameter, and has an undeclared one that was probably meant.
        case misnamedParameter = "misnamed-parameter"

        /// An edge with its own parameters leaves out a parameter of the path that the route gives a type.
        case untypedParameter = "untyped-parameter"

        /// Users without a level meet the gate of a grant, although the gate of a level comes before it.
        case grantBeforeLevel = "grant-before-level"

        /// A gate over the app's current stack may dismiss screens, since the catalog lists few ways between them.
        case gateClosesScreens = "gate-closes-screens"

        /// No link opens a gate, since the hosts of every origin are segments.
        case gateWithoutLink = "gate-without-link"

        /// A text in a web link's query may have a plus, with which browsers and forms encode a space.
        case literalPlus = "literal-plus"

        /// No link matches a path in a list of edges, since others in the list match every text that fits it.
        case unreachablePath = "unreachable-path"

        /// No route resolves an empty path, and `entry` lacks an initial child.
        case emptyPathUnanswered = "empty-path-unanswered"

        /// A host below a `*` has a label that is also the first segment of a path in the table, and opens the same
        /// route.
        case labelMatchesLiteral = "label-matches-literal"

        /// An app's identifier isn't valid on its platform.
        case invalidApp = "invalid-app"

        /// A route or an edge names an app that the catalog does not declare.
        case unknownApp = "unknown-app"

        /// A stack may have destinations of two apps, or its gate may be another app's.
        case twoApps = "two-apps"

        /// A web page links to a host that the catalog does not allow, or needs values that a link may lack.
        case invalidWeb = "invalid-web"

        /// The text on the color of a page's button is hard to read.
        case lowContrast = "low-contrast"

        /// A link of a signed route would use a key of the signature for a parameter.
        case reservedKey = "reserved-key"

        /// A gate's route requires a signature.
        case signedGate = "signed-gate"

        /// A route opens in the browser, but the routes that it opens need the app.
        case openConflict = "open-conflict"

        /// Some links open in the app or in the browser although they should not: the platform's rule language cannot
        /// distinguish them from other links.
        case associationInexact = "association-inexact"

        /// The catalog's links are too many for an association file with one rule each.
        case associationCoarsened = "association-coarsened"

        /// The severity of the issue.
        package var severity: Severity {
            switch self {
            case .misnamedParameter, .untypedParameter, .grantBeforeLevel, .gateClosesScreens, .gateWithoutLink,
                .literalPlus, .unreachablePath, .emptyPathUnanswered, .labelMatchesLiteral, .associationInexact,
                .associationCoarsened, .lowContrast:
                .warning
            default: .error
            }
        }
    }
}

/// The issues of an invalid catalog, in the order of the file.
package struct CatalogError: Error, Sendable {
    /// The issues, at least one.
    package let issues: [CatalogIssue]

    /// Creates the error from issues, without duplicates and in the order of the file.
    package init(_ issues: [CatalogIssue]) {
        self.issues = Set(issues)
            .sorted { ($0.location, $0.code.rawValue, $0.message) < ($1.location, $1.code.rawValue, $1.message) }
    }
}
