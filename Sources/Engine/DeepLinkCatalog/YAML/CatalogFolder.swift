import DeepLinkCore
import Foundation

/// The folder of a catalog, in which `include` finds files.
struct CatalogFolder {
    /// The maximum number of included files.
    private static let maximumCount = 1_000

    /// The path of the catalog's own file, as the user wrote it.
    private let own: String

    /// The folder of that path, with the slash at its end, or empty for the working folder.
    private let prefix: String

    /// Creates the folder of a catalog's file.
    init(of path: String) {
        own = path
        prefix = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[...$0]) } ?? ""
    }

    /// Returns the path of an included file, which an editor can open where the user wrote the catalog's path.
    func path(of name: String) -> String { prefix + name }

    /// Returns the trees of included files, reporting and omitting files that are not YAML.
    func trees(of files: [CatalogFiles.Included], isComplete: Bool, log: IssueLog) -> IncludedTrees {
        let trees = files.compactMap { file -> IncludedTree? in
            let path = path(of: file.name)
            return CatalogLoader.tree(of: file.bytes, log: log.ofFile(path), beginning: "routes:")
                .map { IncludedTree(root: $0, file: path) }
        }
        return IncludedTrees(
            files: IncludedFiles(own: own, folder: prefix),
            trees: trees,
            isComplete: isComplete && trees.count == files.count && trees.allSatisfy { $0.root.pairs != nil }
        )
    }

    // MARK: Names

    /// Returns the names that some patterns match, in byte order and each once, or `nil` if they are too many.
    ///
    /// The catalog's own file is among them if a pattern matches it.
    func names(matching patterns: [IncludePattern]) -> [String]? {
        var names: Set<ByteText> = []
        for pattern in patterns {
            guard let matches = matches(of: pattern) else { return nil }
            names.formUnion(matches.map { $0.bytewise })
            guard names.count <= Self.maximumCount else { return nil }
        }
        return names.sorted().map { $0.string }
    }

    /// Returns the names that a pattern matches, or `nil` if they are too many.
    private func matches(of pattern: IncludePattern) -> [String]? {
        var found = [""]
        for (index, part) in pattern.parts.enumerated() {
            let isLast = index == pattern.parts.count - 1
            guard IncludePattern.isWild(part) else {
                found = found.map { $0 + part }.filter { !isLast || exists($0) }.map { isLast ? $0 : $0 + "/" }
                continue
            }
            var next: [String] = []
            for folder in found {
                let entries = (try? FileManager.default.contentsOfDirectory(atPath: place(of: folder))) ?? []
                next += entries.filter { IncludePattern.part(part, matches: $0) }
                    .map { folder + $0 + (isLast ? "" : "/") }
                guard next.count <= Self.maximumCount else { return nil }
            }
            found = next
        }
        return found
    }

    private func place(of name: String) -> String { prefix.isEmpty && name.isEmpty ? "." : prefix + name }

    private func exists(_ name: String) -> Bool {
        var status = stat()
        return lstat(place(of: name), &status) == 0
    }

    // MARK: Reading

    /// Reads the files that some patterns match, reporting and omitting files that cannot be read.
    ///
    /// - Parameters:
    ///   - patterns: The valid patterns.
    ///   - node: The value of `include`, for issues of all patterns together.
    ///   - byteCount: The size of the catalog's own file, which counts too.
    ///   - log: The log of the catalog's own file.
    /// - Returns: The files in the byte order of their names, and whether there is no issue of theirs.
    func files(
        matching patterns: [IncludePattern],
        named node: YAMLNode,
        besides byteCount: Int,
        log: IssueLog
    ) -> (files: [CatalogFiles.Included], isComplete: Bool) {
        var isComplete = true
        func report(_ code: CatalogIssue.Code, _ place: SourceLocation, _ message: String, hint: String) {
            isComplete = false
            log.report(code, at: place, message: message, hint: hint)
        }
        var locations: [ByteText: SourceLocation] = [:]
        var isTooMany = false
        for pattern in patterns where !isTooMany {
            guard let names = matches(of: pattern) else {
                isTooMany = true
                break
            }
            if names.isEmpty {
                report(
                    .unmatchedInclude,
                    pattern.location,
                    "`\(pattern.text)` matches no file.",
                    hint: "Names are relative to the catalog's folder, `\(prefix.isEmpty ? "." : prefix)`."
                )
            }
            for name in names where locations[name.bytewise] == nil { locations[name.bytewise] = pattern.location }
            isTooMany = locations.count > Self.maximumCount
        }
        guard !isTooMany else {
            report(
                .tooLarge,
                log.location(node.mark),
                "`include` matches more than \(Self.maximumCount) files.",
                hint: "Join the files of a team, or write patterns that match fewer."
            )
            return ([], isComplete)
        }
        var (files, total) = ([CatalogFiles.Included](), byteCount)
        let identity = FileIdentity(own)
        for (key, location) in locations.sorted(by: { $0.key < $1.key }) {
            let name = key.string
            if let identity, FileIdentity(path(of: name)) == identity {
                report(
                    .includeCycle,
                    location,
                    "`\(name)` is the catalog itself.",
                    hint: "Keep the files of teams in a folder of their own: `teams/*.yaml`."
                )
                continue
            }
            switch bytes(of: name, atMost: CatalogLoader.maximumByteCount - total) {
            case .bytes(let bytes):
                total += bytes.count
                guard total <= CatalogLoader.maximumByteCount else {
                    report(
                        .tooLarge,
                        log.location(node.mark),
                        "The catalog's files have more than \(CatalogLoader.maximumByteCount) bytes together.",
                        hint: "Split the app's routes over several services."
                    )
                    return (files, isComplete)
                }
                files.append(CatalogFiles.Included(name: name, bytes: bytes))
            case .outside:
                report(
                    .includeOutside,
                    location,
                    "`\(name)` is a link to a file outside the catalog's folder.",
                    hint: "Copy the file into the folder of the catalog."
                )
            case .unreadable(let reason):
                report(
                    .invalidValue,
                    location,
                    "`\(name)` cannot be read: \(reason)",
                    hint: "Include regular files that this user may read."
                )
            }
        }
        return (files, isComplete)
    }

    /// The content of an included file, or the reason why there is none.
    private enum Content {
        case bytes([UInt8])
        case outside
        case unreadable(String)
    }

    private func bytes(of name: String, atMost count: Int) -> Content {
        guard let real = realPath(path(of: name)), let folder = realPath(place(of: "")) else {
            return .unreadable("there is no such file.")
        }
        let isInside = real.utf8.starts(with: folder.utf8.last == UInt8(ascii: "/") ? folder.utf8 : (folder + "/").utf8)
        guard isInside else { return .outside }
        do throws(CatalogFileError) {
            return .bytes(try CatalogLoader.bytes(of: real, atMost: count))
        } catch {
            return .unreadable(error.reason)
        }
    }

    /// Returns the path of a file without symbolic links, or `nil` if there is no such file.
    private func realPath(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }
}

/// The identity of a file, whatever its name.
private struct FileIdentity: Equatable {
    private let device: UInt64
    private let inode: UInt64

    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
    }
}
