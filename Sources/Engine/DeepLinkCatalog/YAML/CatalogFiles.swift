package import DeepLinkCore

/// The bytes of a catalog's files.
package struct CatalogFiles: Equatable, Sendable {
    /// A file that the catalog includes.
    package struct Included: Equatable, Sendable {
        /// The name, relative to the catalog's folder.
        package let name: String

        /// The bytes of the file.
        package let bytes: [UInt8]

        /// Creates a file from its parts.
        package init(name: String, bytes: [UInt8]) {
            self.name = name
            self.bytes = bytes
        }
    }

    /// The bytes of the catalog's own file.
    package let bytes: [UInt8]

    /// The included files, in the byte order of their names.
    package let included: [Included]

    /// Creates the files of a catalog, by default of one in a single file.
    package init(_ bytes: [UInt8], including included: [Included] = []) {
        self.bytes = bytes
        self.included = included
    }

    /// Returns whether a file ends with a line feed.
    ///
    /// The name is empty for the catalog's own file. A file that the catalog doesn't have is not finished.
    package func endsWithLineFeed(_ name: ByteText) -> Bool {
        let file = name == "" ? bytes : included.first { $0.name.bytewise == name }?.bytes
        return file?.last == UInt8(ascii: "\n")
    }
}

/// The files of a catalog that were read, and the catalog that they declare.
package struct CatalogReading: Sendable {
    /// The files.
    package let files: CatalogFiles

    /// The patterns of `include`, by which a watch finds new files, or `nil` if the catalog's own file is not YAML.
    package let patterns: [IncludePattern]?

    /// The catalog, or its issues.
    package let outcome: Result<RouteCatalog, CatalogError>

    init(
        _ files: CatalogFiles,
        patterns: [IncludePattern]?,
        catalog: () throws(CatalogError) -> RouteCatalog
    ) {
        self.files = files
        self.patterns = patterns
        outcome = Result(catching: catalog)
    }
}
