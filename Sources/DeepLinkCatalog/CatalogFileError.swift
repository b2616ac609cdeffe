/// The error of a catalog file that cannot be read.
package struct CatalogFileError: Error, CustomStringConvertible {
    /// The file, as the user named it.
    package let path: String

    /// The reason why it cannot be read.
    package let reason: String

    package var description: String { "Cannot read the catalog \(path): \(reason)" }
}
