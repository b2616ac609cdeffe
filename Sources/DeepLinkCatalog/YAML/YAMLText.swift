package import DeepLinkCore

/// YAML that is no catalog, read with the same care.
package enum YAMLText {
    /// Reads the text of a file; `nil` where it is empty or holds comments alone.
    ///
    /// - Throws: `CatalogError` with every fault of the text: no UTF-8, no YAML, keys given twice, text that is costly to
    ///   compare, aliases that stand for too much.
    package static func compose(_ bytes: [UInt8], file: String) throws(CatalogError) -> YAMLNode? {
        let log = IssueLog(file: file)
        let root = YAMLComposer.compose(bytes, reportingTo: log)
        guard log.issues.isEmpty else { throw CatalogError(log.issues) }
        return root
    }
}
