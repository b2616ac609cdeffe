import AsyncAlgorithms
import DeepLinkCatalog
import DeepLinkHTTP
import Foundation
import Logging
import ServiceLifecycle
import WaymarkEngine

/// The service that serves what is in the files of the signed catalog, and follows them.
///
/// The server has no key, and cannot tell whether a signature is right; apps can.
struct BundleWatch: Service {
    /// The time between two looks at the files.
    private static let interval = Duration.seconds(1)

    let path: String
    let bundle: LiveBundle
    let logger: Logger

    /// The versions of the bundle and of its signature.
    private var stamps: [FileStamp?] { [FileStamp(path: path), FileStamp(path: path + ".sig")] }

    /// Reads both files, if there are both.
    ///
    /// - Throws: ``CommandError`` of code 65 where they are no bundle and its signature, of code 69 where they cannot be read.
    func read() throws {
        let (bytes, signature) = (try InputFile.read(path), try InputFile.read(path + ".sig"))
        guard let outline = CatalogBundle.outline(of: bytes) else {
            throw CommandError(.badData, "\(path) is no bundle; `waymark catalog bundle` makes one.")
        }
        guard let signature = BundleSignature(signature) else {
            throw CommandError(.badData, "\(path).sig is no signature.")
        }
        bundle.replace(
            with: LiveBundle.Document(
                body: bytes,
                signature: String(decoding: signature.json, as: UTF8.self)
            )
        )
        logger.info(
            "The signed catalog is served.",
            metadata: ["sequence": "\(outline.sequence)", "catalogVersion": "\(outline.catalogVersion)"]
        )
    }

    func run() async throws {
        var (taken, seen) = (stamps, stamps)
        for await _ in AsyncTimerSequence(interval: Self.interval, clock: .continuous).cancelOnGracefulShutdown() {
            let stamps = stamps
            defer { seen = stamps }
            // The two files are written one after the other: both must have rested since the last look.
            guard stamps != taken, stamps == seen else { continue }
            taken = stamps
            do {
                try read()
            } catch {
                logger.error(
                    "The signed catalog cannot be read; the former one is served on.",
                    metadata: ["reason": "\((error as? CommandError)?.message ?? "\(error)")"]
                )
            }
        }
    }
}
