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
struct StoredCatalog {
    private static let opening = "# Kept by Waymark, and written anew with each catalog in force: "

    /// The path of the file.
    let path: String

    /// The first line of the file, which names the original catalog file.
    private let head: [UInt8]

    /// Creates the name of the file, or returns `nil` if there is none: with PostgreSQL, or if the setting is off.
    init?(_ settings: Settings) {
        guard settings.keepsCatalog, case .file(let database) = settings.database else { return nil }
        path = database + ".catalog"
        let source = URL(fileURLWithPath: settings.catalog).standardizedFileURL.path
        guard !source.utf8.contains(UInt8(ascii: "\n")) else { return nil }
        head = Array((Self.opening + source + "\n").utf8)
    }

    /// Stores the bytes of a catalog in force, in a file that only the owner of its folder can read.
    ///
    /// Warns if that fails. The former file is then unchanged.
    func keep(_ bytes: [UInt8], logger: Logger) {
        guard self.bytes?.elementsEqual(bytes) != true else { return }
        let draft = "\(path).\(getpid())-new"
        unlink(draft)
        do throws(NewFile.Failure) {
            try NewFile.write(head + bytes, to: draft)
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

    /// The bytes of the stored catalog, or `nil` if there is none.
    var bytes: ArraySlice<UInt8>? {
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        let maximum = head.count + CatalogLoader.maximumByteCount
        guard let data = try? file.read(upToCount: maximum), data.starts(with: head) else { return nil }
        return Array(data)[head.count...]
    }
}

/// The catalog that a server starts with.
struct StartCatalog {
    let catalog: RouteCatalog

    /// The bytes of its file.
    let bytes: [UInt8]

    /// The reason why the catalog's own file was refused and the stored one is in force, or `nil`.
    let refusal: (any Error)?

    /// Loads the catalog of the settings, or the stored one if it is invalid.
    ///
    /// - Throws: The reason why the catalog's own file is invalid, if none is stored.
    init(_ settings: Settings, kept: StoredCatalog?) throws {
        do {
            (catalog, bytes) = try Self.load(try CatalogLoader.bytes(of: settings.catalog), settings)
            refusal = nil
        } catch {
            guard let former = kept?.bytes, let start = try? Self.load(Array(former), settings) else {
                throw CommandError.translated(error)
            }
            (catalog, bytes) = start
            refusal = error
        }
    }

    private static func load(_ bytes: [UInt8], _ settings: Settings) throws -> (RouteCatalog, [UInt8]) {
        let catalog = try CatalogLoader.load(bytes, file: settings.catalog)
        try settings.endUsers?.check(in: catalog, settingsFile: settings.file)
        return (catalog, bytes)
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
        StoredCatalog(settings)?.keep(start.bytes, logger: logger)
    }
}
