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
