package import DeepLinkCore

/// YAML other than a catalog, read by the same rules.
package enum YAMLText {
    /// Reads the text of a file; `nil` if it is empty or holds only comments.
    ///
    /// - Throws: `CatalogError` with every issue of the text: invalid UTF-8 or YAML, repeated keys, text that is costly
    ///   to compare, aliases that expand too far.
    package static func compose(_ bytes: [UInt8], file: String) throws(CatalogError) -> YAMLNode? {
        let log = IssueLog(file: file)
        let root = YAMLComposer.compose(bytes, reportingTo: log)
        guard log.issues.isEmpty else { throw CatalogError(log.issues) }
        return root
    }
}
