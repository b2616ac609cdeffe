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
        try read(contentsOf: path).outcome.get()
    }

    /// Reads and checks a catalog file, with the files that it includes.
    ///
    /// - Throws: ``CatalogFileError`` if the catalog's own file cannot be read. Included files that cannot be read are
    ///   issues of the outcome.
    package static func read(contentsOf path: String) throws(CatalogFileError) -> CatalogReading {
        let bytes = try bytes(of: path)
        let log = IssueLog(file: path)
        do throws(CatalogError) {
            let root = try root(of: bytes, log: log)
            let folder = CatalogFolder(of: path)
            guard !CatalogDocumentForm.isForm(of: root), let node = root["include"] else {
                return CatalogReading(CatalogFiles(bytes), patterns: []) { () throws(CatalogError) in
                    try catalog(root, of: CatalogFiles(bytes), log: log)
                }
            }
            let patterns = IncludePattern.patterns(node, log: log)
            let found = folder.files(matching: patterns, named: node, besides: bytes.count, log: log)
            let files = CatalogFiles(bytes, including: found.files)
            let isComplete = found.isComplete && !patterns.isEmpty && patterns.count == node.items?.count
            return CatalogReading(files, patterns: patterns) { () throws(CatalogError) in
                try catalog(root, of: files, in: folder, isComplete: isComplete, log: log)
            }
        } catch {
            return CatalogReading(CatalogFiles(bytes), patterns: nil) { () throws(CatalogError) in throw error }
        }
    }

    /// Reads a file of a catalog, or the beginning of one that is too large.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - maximumByteCount: The number of bytes after which a file is too large. One more is read.
    /// - Returns: The bytes of the file.
    /// - Throws: ``CatalogFileError`` if the file cannot be read.
    package static func bytes(
        of path: String,
        atMost maximumByteCount: Int = maximumByteCount
    ) throws(CatalogFileError) -> [UInt8] {
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

    /// Parses and checks the files of a catalog that were read before.
    ///
    /// - Throws: `CatalogError` with every issue found.
    package static func load(_ files: CatalogFiles, file: String) throws(CatalogError) -> RouteCatalog {
        let log = IssueLog(file: file)
        let root = try root(of: files.bytes, log: log)
        return try catalog(root, of: files, in: files.included.isEmpty ? nil : CatalogFolder(of: file), log: log)
    }

    /// Parses and checks the text of a catalog in one file.
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
        let root = try root(of: bytes, log: log, refusesAliasKeys: refusesAliasKeys, interruption: interruption)
        let version = version ?? Self.version(of: CatalogFiles(bytes))
        return try DefinitionReader(log: log).catalog(root, version: version, interruption: interruption)
    }

    /// Checks the files of a catalog.
    ///
    /// `folder` is the folder of the included files, or `nil` for a catalog in one file.
    private static func catalog(
        _ root: YAMLNode,
        of files: CatalogFiles,
        in folder: CatalogFolder? = nil,
        isComplete: Bool = true,
        log: IssueLog
    ) throws(CatalogError) -> RouteCatalog {
        let included = folder.map { $0.trees(of: files.included, isComplete: isComplete, log: log) }
        return try DefinitionReader(log: log).catalog(root, version: version(of: files), including: included)
    }

    /// Parses the text of the catalog's own file.
    ///
    /// - Throws: `CatalogError` with the issues of the log, if the text is not YAML.
    private static func root(
        of bytes: [UInt8],
        log: IssueLog,
        refusesAliasKeys: Bool = false,
        interruption: Interruption = .never
    ) throws(CatalogError) -> YAMLNode {
        let root = tree(of: bytes, log: log, refusesAliasKeys: refusesAliasKeys, interruption: interruption)
        guard let root else { throw CatalogError(log.issues) }
        return root
    }

    /// Parses the text of a file of a catalog, and reports a text that is not YAML.
    ///
    /// `beginning` is the first line that an empty file should have.
    static func tree(
        of bytes: [UInt8],
        log: IssueLog,
        beginning: String = "version: 1",
        refusesAliasKeys: Bool = false,
        interruption: Interruption = .never
    ) -> YAMLNode? {
        guard bytes.count <= maximumByteCount else {
            log.report(
                .tooLarge,
                at: nil,
                message: "The file has more than \(maximumByteCount) bytes.",
                hint: "Split the app's routes over several services."
            )
            return nil
        }
        let text = JSONText(bytes)
        let issueCount = log.issues.count
        let root = YAMLComposer.compose(
            text.yaml,
            columns: text.columns,
            reportingTo: log,
            refusesAliasKeys: refusesAliasKeys,
            interruption: interruption
        )
        if root == nil, log.issues.count == issueCount {
            log.report(.invalidYAML, at: nil, message: "The file is empty.", hint: "Begin with `\(beginning)`.")
        }
        return root
    }

    /// Returns the first 12 hexadecimal digits of the SHA-256 of the bytes of all files, the catalog's own first.
    private static func version(of files: CatalogFiles) -> String {
        var hash = SHA256()
        hash.update(data: files.bytes)
        for file in files.included { hash.update(data: file.bytes) }
        return hash.finalize().prefix(6).hexadecimal
    }
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
