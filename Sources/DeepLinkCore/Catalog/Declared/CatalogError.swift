/// Everything that is wrong with a catalog, in the order of the file.
public struct CatalogError: Error, Sendable {
    /// The faults, at least one.
    public let issues: [CatalogIssue]

    /// Collects faults, each once, and puts them in the order of the file.
    public init(_ issues: [CatalogIssue]) {
        self.issues = Set(issues)
            .sorted { ($0.location, $0.code.rawValue, $0.message) < ($1.location, $1.code.rawValue, $1.message) }
    }
}
