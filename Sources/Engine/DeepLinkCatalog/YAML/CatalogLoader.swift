import Crypto
package import DeepLinkCore
import Foundation

/// The loader of route catalogs from YAML.
package enum CatalogLoader {
    /// The largest file that is read, in bytes.
    package static let maximumByteCount = 16 * 1024 * 1024

    /// Reads and checks a catalog file.
    ///
    /// Messages repeat the path as given.
    ///
    /// - Throws: ``CatalogFileError`` if the file cannot be read, `CatalogError` with every issue found.
    package static func load(contentsOf path: String) throws -> RouteCatalog {
        try load(try bytes(of: path), file: path)
    }

    /// Reads a catalog file, or the beginning of one that is too large.
    ///
    /// - Throws: ``CatalogFileError`` if the file cannot be read.
    package static func bytes(of path: String) throws(CatalogFileError) -> [UInt8] {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw CatalogFileError(path: path, reason: "there is no such file.")
        }
        guard !isFolder.boolValue else { throw CatalogFileError(path: path, reason: "it is a folder.") }
        // A read from a pipe could block, and one from a device might not end.
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw CatalogFileError(path: path, reason: "this user may not read it.") }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw CatalogFileError(path: path, reason: "it isn't a regular file.")
        }
        do {
            // One additional byte shows that the file is too large; an empty file has no data.
            return Array(try file.read(upToCount: maximumByteCount + 1) ?? Data())
        } catch {
            throw CatalogFileError(path: path, reason: "\(error)")
        }
    }

    /// Parses and checks the text of a catalog.
    ///
    /// The version of the catalog is the digest of the bytes, YAML in UTF-8, unless the bytes were generated from a
    /// file that already has a version. Issues refer to the text as `file`.
    ///
    /// - Throws: `CatalogError` with every issue found, in the order of the file. After an interruption, it contains an
    ///   issue that reports the interruption, or only a part of the issues.
    package static func load(
        _ bytes: [UInt8],
        file: String,
        refusesAliasKeys: Bool = false,
        version: String? = nil,
        interruption: Interruption = .never
    ) throws(CatalogError) -> RouteCatalog {
        let log = IssueLog(file: file)
        guard bytes.count <= maximumByteCount else {
            log.report(
                .tooLarge,
                at: nil,
                message: "The file has more than \(maximumByteCount) bytes.",
                hint: "Split the app's routes over several services."
            )
            throw CatalogError(log.issues)
        }
        let text = JSONText(bytes)
        guard
            let root = YAMLComposer.compose(
                text.yaml,
                columns: text.columns,
                reportingTo: log,
                refusesAliasKeys: refusesAliasKeys,
                interruption: interruption
            )
        else {
            if log.issues.isEmpty {
                log.report(.invalidYAML, at: nil, message: "The file is empty.", hint: "Begin with `version: 1`.")
            }
            throw CatalogError(log.issues)
        }
        return try DefinitionReader(log: log)
            .catalog(root, version: version ?? Self.version(of: bytes), interruption: interruption)
    }

    /// Returns the first 12 hexadecimal digits of the SHA-256 of a file's bytes.
    static func version(of bytes: [UInt8]) -> String { SHA256.hash(data: bytes).prefix(6).hexadecimal }
}

/// The error of a catalog file that cannot be read.
package struct CatalogFileError: Error, CustomStringConvertible {
    /// The path of the file, as the user wrote it.
    package let path: String

    /// The reason why the file cannot be read.
    package let reason: String

    /// The message for the user.
    package var description: String { "Cannot read the catalog \(path): \(reason)" }
}
