import AsyncAlgorithms
import DeepLinkCatalog
import DeepLinkCore
import DeepLinkHTTP
import Foundation
import Logging
import ServiceLifecycle
import UnixSignals

/// Puts a changed catalog file in force while the server runs: on SIGHUP, and when the file is seen to have changed.
///
/// A version that cannot be used is refused, and the former one serves on.
struct CatalogReloader: Service {
    /// Names what may call for a reload.
    private enum Trigger {
        case signal
        case tick
    }

    /// How often the file is looked at.
    private static let interval = Duration.seconds(1)

    let path: String
    let catalog: LiveCatalog
    let logger: Logger

    func run() async throws {
        let signals = await UnixSignalsSequence(trapping: .sighup)
        let triggers = merge(
            AsyncTimerSequence(interval: Self.interval, clock: .continuous).map { _ in Trigger.tick },
            signals.map { _ in Trigger.signal }
        )
        var loaded = FileStamp(path: path)
        var seen = loaded
        for await trigger in triggers.cancelOnGracefulShutdown() {
            let stamp = FileStamp(path: path)
            // A file that is being written has another stamp the next time; it is read once it is left alone.
            let isSettled = stamp == seen && stamp != loaded
            seen = stamp
            guard trigger == .signal || isSettled else { continue }
            loaded = stamp
            await reload()
        }
    }

    private func reload() async {
        let outcome = await withCheckedContinuation { continuation in
            // A large catalog takes seconds, for which no thread that answers requests is held up.
            Thread.detachNewThread {
                continuation.resume(returning: Result { try CatalogLoader.load(contentsOf: path) })
            }
        }
        let former = catalog.current.version
        switch outcome {
        case .success(let new):
            catalog.replace(with: new)
            logger.info(
                new.version == former ? "The catalog is unchanged." : "A new catalog is in force.",
                metadata: ["catalog": "\(path)", "catalogVersion": "\(new.version)", "former": "\(former)"]
            )
        case .failure(let error):
            let reason = (error as? InvalidCatalog).map { IssueReport($0.issues).text } ?? "\(error)"
            // Everyone may ask for it, so it names no file; the log does.
            catalog.refuse(
                (error as? InvalidCatalog).map { IssueReport($0.issues).summary } ?? "the catalog cannot be read"
            )
            logger.error(
                "The new catalog is refused; the former one serves on.",
                metadata: ["catalog": "\(path)", "catalogVersion": "\(former)", "reason": "\(reason)"]
            )
        }
    }
}
