import DeepLinkCatalog
import DeepLinkHTTP
import Foundation
import Logging
import ServiceLifecycle
import WaymarkCommands
import WaymarkOffline

/// The service that reads the files of the signed catalog, and follows their changes.
///
/// Apps verify the signature. The server cannot, since it does not have the key.
struct BundleWatch: Service {
    let path: String
    let bundle: LiveBundle
    let logger: Logger

    /// The versions of the bundle and of its signature.
    private var stamps: [FileStamp?] { [FileStamp(path: path), FileStamp(path: path + ".sig")] }

    /// Reads both files, if both exist.
    ///
    /// - Throws: `CommandError` of code 65 if they aren't a bundle and its signature, and of code 69 if they cannot
    ///   be read.
    func read() throws {
        let (bytes, signature) = (try InputFile.read(path), try InputFile.read(path + ".sig"))
        guard let outline = CatalogBundle.outline(of: bytes) else {
            throw CommandError.badData("\(path) isn't a bundle. `waymark catalog bundle` makes one.")
        }
        guard let signature = BundleSignature(signature) else {
            throw CommandError.badData("\(path).sig isn't a signature.")
        }
        let text = String(decoding: signature.json, as: UTF8.self)
        bundle.replace(with: LiveBundle.Document(body: bytes, signature: text))
        logger.info(
            "The signed catalog is served.",
            metadata: ["sequence": .stringConvertible(outline.sequence), "catalogVersion": "\(outline.catalogVersion)"]
        )
    }

    func run() async throws {
        var (taken, seen) = (stamps, stamps)
        for await _ in FileWatch.ticks.cancelOnGracefulShutdown() {
            let stamps = stamps
            defer { seen = stamps }
            // The two files are written in sequence: neither must have changed since the last check.
            guard stamps != taken, stamps == seen else { continue }
            taken = stamps
            do {
                try read()
            } catch {
                logger.error(
                    "The signed catalog cannot be read. The former one stays in use.",
                    metadata: ["reason": "\((error as? CommandError)?.message ?? "\(error)")"]
                )
            }
        }
    }
}
