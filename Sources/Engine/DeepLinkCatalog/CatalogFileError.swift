/// The error of a catalog file that cannot be read.
package struct CatalogFileError: Error, CustomStringConvertible {
    /// The path of the file, as the user wrote it.
    package let path: String

    /// The reason why the file cannot be read.
    package let reason: String

    /// The message for the user.
    package var description: String { "Cannot read the catalog \(path): \(reason)" }
}
