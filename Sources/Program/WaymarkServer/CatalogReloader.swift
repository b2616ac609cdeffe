import CoreMetrics
import DeepLinkAuthentication
import DeepLinkCatalog
import DeepLinkComparison
import DeepLinkCore
import DeepLinkFormats
import DeepLinkHTTP
import DeepLinkReporting
import DeepLinkStorage
import Foundation
import HTTPServer
import Logging
import ServiceLifecycle
import WaymarkCommands

/// The service that puts a changed catalog file in force, on SIGHUP or when it notices a change.
///
/// `CatalogWatch` decides when a file is read and accepted. An invalid version is refused, and the former one stays in
/// force.
struct CatalogReloader: Service {
    /// The maximum number of changes that a reload logs individually.
    private static let maximumLoggedCount = 100

    private let refusals = Counter(label: ServerMetric.catalogRefusals.rawValue)

    private let settings: Settings
    private let patterns: [IncludePattern]
    private let stamp: CatalogStamp?
    private let catalog: LiveCatalog
    private let users: UnknownLevels
    private let audit: AuditTrail
    private let kept: StoredCatalog?
    private let comparisons: ReloadComparisons
    private let logger: Logger

    private var path: String { settings.catalog }

    /// Creates the service for the catalog that the server starts with.
    init(
        _ settings: Settings,
        start: StartCatalog,
        catalog: LiveCatalog,
        store: any OpenStore,
        audit: AuditTrail,
        logger: Logger
    ) {
        self.settings = settings
        patterns = start.patterns
        stamp = start.stamp
        self.catalog = catalog
        self.audit = audit
        self.logger = logger
        kept = StoredCatalog(settings)
        users = UnknownLevels(store: store, logger: logger)
        comparisons = Self.comparisons(logger)
    }

    func run() async throws {
        let triggers = await FileWatch.triggers()
        let began = ContinuousClock.now
        var watched = OpenedFile(path: path)
        var patterns = patterns
        func version(of file: OpenedFile?) -> CatalogStamp? {
            file.map { CatalogStamp($0.stamp, of: path, including: patterns) }
        }
        var watch = CatalogWatch(inForce: stamp, at: .zero)
        for await trigger in triggers.cancelOnGracefulShutdown() {
            let file = OpenedFile(path: path)
            let seen = version(of: file)
            let time = ContinuousClock.now - began
            guard watch.look(at: seen, time: time, isSignal: trigger == .signal) == .read else { continue }
            let outcome = await read()
            if case .success(let reading) = outcome, let new = reading.patterns, new != patterns {
                // Files that were not watched may be about to change.
                patterns = new
                watch.widen(to: version(of: OpenedFile(path: path)), time: ContinuousClock.now - began)
                continue
            }
            // A file that has changed meanwhile is checked again.
            guard version(of: OpenedFile(path: path)) == seen else { continue }
            watched = file
            let cause = trigger == .signal ? CatalogChangeCause.signal : .file
            await judge(outcome, stamp: seen, because: cause, watch: &watch)
        }
        withExtendedLifetime(watched) {}
    }

    private func read() async -> Result<CatalogReading, any Error> {
        await withCheckedContinuation { continuation in
            // A large catalog takes seconds, which must not block threads that answer requests.
            Thread.detachNewThread {
                continuation.resume(
                    returning: Result { try CatalogLoader.read(contentsOf: path) }
                )
            }
        }
    }

    private func judge(
        _ outcome: Result<CatalogReading, any Error>,
        stamp: CatalogStamp?,
        because cause: CatalogChangeCause,
        watch: inout CatalogWatch
    ) async {
        let loaded = Result { () throws in
            let reading = try outcome.get()
            return (catalog: try reading.outcome.get(), files: reading.files)
        }
        guard let stamp, case .success(let new) = loaded else {
            watch.refused(stamp)
            if case .failure(let error) = loaded { await refuse(error, because: cause) }
            return
        }
        do throws(CommandError) {
            try settings.endUsers?.check(in: new.catalog, settingsFile: settings.file)
        } catch {
            watch.refused(stamp)
            return await refuse(Self.publicReason(of: error), because: cause, explanation: error.message ?? "")
        }
        let change = CatalogChange(from: catalog.current, to: new.catalog)
        let lost = await users.lost(by: catalog.names(of: new.catalog), from: AccessNames(of: catalog.current))
        let verdict = watch.verdict(
            on: stamp,
            endsWithLineFeed: watch.writtenInPlace(stamp).allSatisfy(new.files.endsWithLineFeed),
            takesOrOpens: change.takesOrOpens,
            losesUsers: lost?.isEmpty != true
        )
        let noun = new.files.included.isEmpty ? "the file" : "a file of the catalog"
        switch verdict {
        case .take:
            await take(new.catalog, because: cause, change: change)
            kept?.keep(new.files, logger: logger)
        case .refuseUnfinished:
            await refuse(
                "\(noun) was written in place and does not end with a line feed",
                because: cause,
                explanation: "End it with one, or replace it by rename."
            )
        case .awaitSignal where lost?.isEmpty != true:
            let counts = lost?.map { "`\($0.name)` of \($0.count.counted("user"))" }.joined(separator: ", ")
            await refuse(
                "it lacks levels or grants that stored users have; it waits for SIGHUP",
                because: cause,
                explanation:
                    "They would count as the lowest, grants as absent: \(counts ?? "the users cannot be counted now"). If that is "
                    + "meant, send SIGHUP; for one that is renamed, name its former name as `was`."
            )
        case .awaitSignal:
            await refuse(
                "\(noun) was written in place and takes away or opens routes; it waits for SIGHUP",
                because: cause,
                explanation: change.sentences.prefix(Self.maximumLoggedCount).joined(separator: " ")
                    + " If that is meant, send SIGHUP, or replace the file by rename."
            )
        }
    }

    private func take(_ new: RouteCatalog, because cause: CatalogChangeCause, change: CatalogChange) async {
        let formerCatalog = catalog.current
        let former = formerCatalog.version
        for sentence in change.sentences.prefix(Self.maximumLoggedCount) {
            logger.warning("\(sentence)", metadata: ["catalogVersion": "\(new.version)", "former": "\(former)"])
        }
        if change.sentences.count > Self.maximumLoggedCount {
            logger.warning("… and \(change.sentences.count - Self.maximumLoggedCount) more changes of this kind.")
        }
        catalog.replace(with: new)
        if new.version != former {
            await audit.note([.catalog(.loadCatalog, because: cause, from: former, to: new.version)])
        }
        logger.info(
            new.version == former ? "The catalog is unchanged." : "A new catalog is in force.",
            metadata: ["catalog": "\(path)", "catalogVersion": "\(new.version)", "former": "\(former)"]
        )
        let (names, formerNames) = (catalog.names(of: new), AccessNames(of: formerCatalog))
        if names.levels != formerNames.levels { users.store.forgetLevels() }
        if names.levels != formerNames.levels || names.grants != formerNames.grants { await users.note(names) }
        if new.version != former { comparisons.add(ReloadComparisons.Pair(former: formerCatalog, new: new)) }
    }

    /// Returns comparisons that log a one-line summary of the changes in each new catalog.
    private static func comparisons(_ logger: Logger) -> ReloadComparisons {
        ReloadComparisons { pair, interruption throws(Interruption.Stop) in
            try CatalogComparison(
                from: pair.former,
                to: pair.new,
                interruption: interruption,
                associations: AssociatedHost.reader
            )
            .report().summary
        } completion: { pair, ending in
            let summary =
                switch ending {
                case .summary(let summary): summary
                case .overtaken: "not known, since another catalog came before the two were compared"
                case .tooLong:
                    "not known, since comparing takes more than \(ReloadComparisons.usualMaximum.components.seconds) s"
                }
            logger.info(
                "Catalog diff: \(summary)",
                metadata: ["catalogVersion": "\(pair.new.version)", "former": "\(pair.former.version)"]
            )
        }
    }

    /// Keeps the former catalog in force, for a public reason and a more detailed one in the log.
    private func refuse(_ reason: String, because cause: CatalogChangeCause, explanation: String) async {
        await noteRefusal(reason, because: cause)
        logger.warning(
            "The new catalog is not in force: \(reason). \(explanation)",
            metadata: ["catalog": "\(path)", "catalogVersion": "\(catalog.current.version)"]
        )
    }

    /// Records a refusal with its public reason in responses, metrics and the audit log.
    private func noteRefusal(_ reason: String, because cause: CatalogChangeCause) async {
        catalog.refuse(reason)
        refusals.increment()
        let version = catalog.current.version
        await audit.note([.catalog(.refuseCatalog, because: cause, from: version, to: version, reason: reason)])
    }

    /// Returns the public reason of a refusal, which names no file, unlike the log.
    static func publicReason(of error: any Error) -> String {
        switch error {
        case let error as CatalogError: IssueReport(error.issues).summary
        case is CommandError: "it lacks a level or a grant of the settings"
        default: "the catalog cannot be read"
        }
    }

    /// Returns the reason of a refusal for operators.
    static func reason(of error: any Error) -> String {
        switch error {
        case let error as CatalogError: IssueReport(error.issues).text
        case let error as CommandError: error.message ?? ""
        default: "\(error)"
        }
    }

    private func refuse(_ error: any Error, because cause: CatalogChangeCause) async {
        await noteRefusal(Self.publicReason(of: error), because: cause)
        logger.error(
            "The new catalog is refused; the former one serves on.",
            metadata: [
                "catalog": "\(path)", "catalogVersion": "\(catalog.current.version)",
                "reason": "\(Self.reason(of: error))",
            ]
        )
    }
}

/// The cause of a change of the catalog in force.
enum CatalogChangeCause: String {
    /// The service starts.
    case start

    /// The file has changed.
    case file

    /// An operator has sent the signal to reload.
    case signal = "SIGHUP"
}

extension AuditEntry {
    /// Creates the line of a catalog that is put in force, or refused for a reason.
    static func catalog(
        _ action: AuditAction,
        because cause: CatalogChangeCause,
        from former: String?,
        to version: String,
        reason: String? = nil
    ) -> AuditEntry {
        func state(_ version: String) -> State { .facts([("catalogVersion", .string(version))]) }
        return AuditEntry(
            action,
            of: .catalog,
            at: SystemClock.now(),
            by: AuditActor(.service, id: cause.rawValue),
            before: former.map(state),
            after: state(version),
            reason: reason
        )
    }
}

/// A version of a file whose inode is kept open, so that no other file gets its number, and a replaced file is
/// distinguishable from one written in place.
final class OpenedFile: Sendable {
    /// `O_PATH` of open(2), which opens pipes and devices without waiting for them.
    ///
    /// The C library's module lacks it.
    private static let nameOnly: Int32 = 0o10_000_000

    private let descriptor: Int32

    /// The version when the file was opened.
    let stamp: FileStamp

    /// Opens a file without the right to read it, or returns `nil` if it doesn't exist.
    init?(path: String) {
        let descriptor = open(path, Self.nameOnly | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        guard let stamp = FileStamp(descriptor: descriptor) else {
            close(descriptor)
            return nil
        }
        self.descriptor = descriptor
        self.stamp = stamp
    }

    deinit { close(descriptor) }
}
