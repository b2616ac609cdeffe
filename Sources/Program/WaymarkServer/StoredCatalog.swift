import CoreMetrics
import DeepLinkAuthentication
import DeepLinkCatalog
import DeepLinkCore
import DeepLinkHTTP
import DeepLinkReporting
import Foundation
import HTTPServer
import Logging
import WaymarkCommands

/// The copy of the catalog last in force, in a file next to the database, for a start with a faulty catalog file.
///
/// It counts only for the catalog file that it came from. With another one, a fault ends the start.
///
/// A catalog in one file is stored as it is, after a line that names the file. A catalog with included files begins with
/// another line. Each file follows with its name, which is empty for the catalog's own. The numbers of their bytes stand
/// in a line before them.
struct StoredCatalog {
    private static let opening = "# Kept by Waymark, and written anew with each catalog in force: "
    private static let openingOfFiles =
        "# Kept by Waymark with its files, and written anew with each catalog in force: "

    /// The path of the file.
    let path: String

    /// The first line of a catalog in one file, which names the original file.
    private let head: [UInt8]

    /// The first line of a catalog with included files.
    private let headOfFiles: [UInt8]

    /// Creates the name of the file, or returns `nil` if there is none: with PostgreSQL, or if the setting is off.
    init?(_ settings: Settings) {
        guard settings.keepsCatalog, case .file(let database) = settings.database else { return nil }
        path = database + ".catalog"
        let source = URL(fileURLWithPath: settings.catalog).standardizedFileURL.path
        guard !source.utf8.contains(UInt8(ascii: "\n")) else { return nil }
        head = Array((Self.opening + source + "\n").utf8)
        headOfFiles = Array((Self.openingOfFiles + source + "\n").utf8)
    }

    /// Stores the files of a catalog in force, in a file that only the owner of its folder can read.
    ///
    /// Warns if that fails. The former file is then unchanged.
    func keep(_ files: CatalogFiles, logger: Logger) {
        guard self.files != files else { return }
        let draft = "\(path).\(getpid())-new"
        unlink(draft)
        do throws(NewFile.Failure) {
            try NewFile.write(content(of: files), to: draft)
            guard rename(draft, path) == 0 else {
                let failure = NewFile.Failure(reason: String(cString: strerror(errno)), isTaken: false)
                unlink(draft)
                throw failure
            }
        } catch {
            logger.warning(
                "The catalog in force cannot be kept; a start with one that has faults would fall back to an earlier one, or fail.",
                metadata: ["file": "\(path)", "reason": "\(error.reason)"]
            )
        }
    }

    private func content(of files: CatalogFiles) -> [UInt8] {
        guard !files.included.isEmpty else { return head + files.bytes }
        let all = [CatalogFiles.Included(name: "", bytes: files.bytes)] + files.included
        return all.reduce(into: headOfFiles) { content, file in
            content += Array("\(file.name.utf8.count) \(file.bytes.count)\n\(file.name)".utf8) + file.bytes
        }
    }

    /// The files of the stored catalog, or `nil` if there are none.
    var files: CatalogFiles? {
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        // The names of many files take as much again at most.
        let maximum = headOfFiles.count + 2 * CatalogLoader.maximumByteCount
        guard let data = try? file.read(upToCount: maximum) else { return nil }
        if data.starts(with: head) { return CatalogFiles(Array(data.dropFirst(head.count))) }
        return data.starts(with: headOfFiles) ? Self.files(in: Array(data)[headOfFiles.count...]) : nil
    }

    private static func files(in content: ArraySlice<UInt8>) -> CatalogFiles? {
        var (rest, files) = (content, [CatalogFiles.Included]())
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            let counts = rest[..<end].split(separator: UInt8(ascii: " ")).compactMap { DecimalText.parseInt($0) }
            rest = rest[(end + 1)...]
            guard counts.count == 2, counts.allSatisfy({ 0...rest.count ~= $0 }), counts[0] + counts[1] <= rest.count
            else { return nil }
            let name = String(decoding: rest.prefix(counts[0]), as: UTF8.self)
            rest = rest.dropFirst(counts[0])
            files.append(CatalogFiles.Included(name: name, bytes: Array(rest.prefix(counts[1]))))
            rest = rest.dropFirst(counts[1])
        }
        guard rest.isEmpty, let own = files.first, own.name.isEmpty else { return nil }
        return CatalogFiles(own.bytes, including: Array(files.dropFirst()))
    }
}

/// The catalog that a server starts with.
struct StartCatalog {
    let catalog: RouteCatalog

    /// The bytes of its files.
    let files: CatalogFiles

    /// The patterns of the `include` of the catalog's own file, as far as it can be read.
    let patterns: [IncludePattern]

    /// The version of the files, or `nil` if the catalog's own file is missing.
    ///
    /// It is read at once, so that the server notices a change during its start.
    let stamp: CatalogStamp?

    /// The reason why the catalog's own file was refused and the stored one is in force, or `nil`.
    let refusal: (any Error)?

    /// Loads the catalog of the settings, or the stored one if it is invalid.
    ///
    /// - Throws: The reason why the catalog's own file is invalid, if none is stored.
    init(_ settings: Settings, kept: StoredCatalog?) throws {
        let reading = Result { try CatalogLoader.read(contentsOf: settings.catalog) }
        let patterns = (try? reading.get().patterns) ?? []
        self.patterns = patterns
        stamp = FileStamp(path: settings.catalog)
            .map { CatalogStamp($0, of: settings.catalog, including: patterns) }
        do {
            let own = try reading.get()
            (catalog, files) = (try Self.checked(try own.outcome.get(), settings), own.files)
            refusal = nil
        } catch {
            guard let former = kept?.files,
                let start = try? Self.checked(CatalogLoader.load(former, file: settings.catalog), settings)
            else { throw CommandError.translated(error) }
            (catalog, files) = (start, former)
            refusal = error
        }
    }

    private static func checked(_ catalog: RouteCatalog, _ settings: Settings) throws -> RouteCatalog {
        try settings.endUsers?.check(in: catalog, settingsFile: settings.file)
        return catalog
    }
}

extension Server {
    /// Reports a catalog that was refused at the start, in responses, metrics and the log.
    func report(_ start: StartCatalog, in parts: ServerDependencies) {
        guard let refusal = start.refusal else { return }
        parts.catalog.refuse(CatalogReloader.publicReason(of: refusal))
        Counter(label: ServerMetric.catalogRefusals.rawValue).increment()
        logger.error(
            "The catalog is refused; the last one that was in force serves, which was kept beside the database.",
            metadata: [
                "catalog": "\(settings.catalog)", "catalogVersion": "\(start.catalog.version)",
                "kept": "\(StoredCatalog(settings)?.path ?? "")", "reason": "\(CatalogReloader.reason(of: refusal))",
            ]
        )
    }

    /// Writes the audit lines of the catalog that the server starts with, and stores it.
    func note(_ start: StartCatalog, in parts: ServerDependencies) async {
        let version = start.catalog.version
        if let refusal = start.refusal {
            let reason = CatalogReloader.publicReason(of: refusal)
            await audit(parts)
                .note([.catalog(.refuseCatalog, because: .start, from: version, to: version, reason: reason)])
        }
        await audit(parts).note([.catalog(.loadCatalog, because: .start, from: nil, to: version)])
        StoredCatalog(settings)?.keep(start.files, logger: logger)
    }
}
