import CoreMetrics
import DeepLinkAuthentication
import DeepLinkCatalog
import DeepLinkCore
import DeepLinkHTTP
import HTTPServer
import Logging
import ServiceLifecycle
import WaymarkCommands

/// The service that puts a changed certificate in force, on SIGHUP or when its files change, and warns before it
/// expires.
///
/// New connections get the new certificate, and open connections keep theirs. An invalid pair of files is refused, and
/// the former one stays in force.
struct CertificateWatch: Service {
    /// The interval between two warnings of expiry.
    private static let warningInterval = Duration.seconds(86_400)

    /// The certificate in force.
    let certificate: LiveCertificate

    private let files: CertificateFiles
    private let start: [FileStamp?]
    private let logger: Logger
    private let end = Gauge(label: ServerMetric.certificateEnd.rawValue)
    private let failures = Counter(label: ServerMetric.certificateFailures.rawValue)
    private let refused = Gauge(label: ServerMetric.certificateRefused.rawValue)

    /// Reads the certificate.
    ///
    /// - Throws: `CommandError` of code 65 or 69 if it is unavailable or invalid.
    init(_ files: CertificateFiles, logger: Logger) throws(CommandError) {
        self.files = files
        self.logger = logger
        start = files.stamps
        certificate = LiveCertificate(try files.read(at: SystemClock.now()))
        failures.increment(by: 0)
        refused.record(0)
        note(certificate.current)
    }

    func run() async throws {
        let triggers = await FileWatch.triggers()
        var (taken, seen) = (start, start)
        var warned = ContinuousClock.now
        for await trigger in triggers.cancelOnGracefulShutdown() {
            let stamps = files.stamps
            // The two files are written in sequence: neither must have changed since the last check.
            let areSettled = stamps == seen
            seen = stamps
            if trigger == .signal || (areSettled && stamps != taken) {
                taken = stamps
                if reload() { warned = .now }
            }
            guard ContinuousClock.now - warned >= Self.warningInterval else { continue }
            warned = .now
            warn(certificate.current)
        }
    }

    /// Reads the files again.
    ///
    /// - Returns: Whether another certificate came into force.
    private func reload() -> Bool {
        do throws(CommandError) {
            let new = try files.read(at: SystemClock.now())
            refused.record(0)
            guard !new.isSame(as: certificate.current) else {
                logger.info("The certificate is unchanged.")
                return false
            }
            certificate.replace(with: new)
            note(new)
            return true
        } catch {
            failures.increment()
            refused.record(1)
            logger.error(
                "The new certificate cannot be used; the former one stays in force.",
                metadata: ["reason": "\(error.message ?? "")", "end": "\(certificate.current.expiry.rfc3339)"]
            )
            return false
        }
    }

    private func note(_ new: ServerCertificate) {
        end.record(new.end)
        logger.info(
            "The certificate is in force.",
            metadata: ["certificates": .stringConvertible(new.count), "end": "\(new.expiry.rfc3339)"]
        )
        warn(new)
    }

    private func warn(_ certificate: ServerCertificate) {
        guard let warning = CertificateWarning(end: certificate.expiry, at: SystemClock.now()) else { return }
        logger.log(level: warning.level, "\(warning.text)", metadata: ["end": "\(certificate.expiry.rfc3339)"])
    }
}

/// The warning about a certificate that expires soon, or has expired.
struct CertificateWarning {
    /// The time before the expiry from which on there are warnings: 14 days, in milliseconds.
    private static let noticeTime: Int64 = 14 * 86_400_000

    let level: Logger.Level

    let text: String

    /// Creates the warning of an expiry, or returns `nil` if it is not near.
    init?(end: Timestamp, at now: Timestamp) {
        let rest = end.millisecondsSinceEpoch - now.millisecondsSinceEpoch
        guard rest <= Self.noticeTime else { return nil }
        guard rest >= 0 else {
            (level, text) = (.error, "The certificate has ended, and clients refuse it; have it renewed.")
            return
        }
        let days = rest / 86_400_000
        (level, text) = (.warning, "The certificate ends in \(days == 1 ? "1 day" : "\(days) days"); have it renewed.")
    }
}

extension Server {
    /// Returns the service of the certificate, which is read and in force, or `nil` for a server in plain text.
    ///
    /// - Throws: `CommandError` of code 65 or 69 if the certificate is unavailable or invalid.
    func certificateWatch() throws(CommandError) -> CertificateWatch? {
        guard let tls = settings.tls else { return nil }
        return try CertificateWatch(CertificateFiles(settings: tls), logger: logger)
    }

    /// Returns the server that redirects plain HTTP, or `nil` if there is none.
    ///
    /// It has a tenth of the connections, since each ends with its first response.
    func redirectServer(_ parts: ServerDependencies) -> RedirectServer? {
        guard let port = settings.tls?.redirectPort else { return nil }
        return RedirectServer(
            RedirectRules(to: socket?.port ?? settings.port, from: port, now: SystemClock.now),
            load: parts.load,
            host: host,
            port: port,
            maximumConnections: max(1, parts.maximumConnections / 10),
            logger: logger
        ) { [logger, host] port in
            let isIPv6 = host.utf8.contains(UInt8(ascii: ":"))
            logger.info("Redirecting from http://\(isIPv6 ? "[\(host)]" : host):\(port)")
        }
    }
}

/// The files of the certificate for TLS and of its key.
struct CertificateFiles {
    let settings: TLSSettings

    /// The versions of the two files.
    var stamps: [FileStamp?] { [FileStamp(path: settings.certificate), FileStamp(path: settings.key)] }

    /// Reads both files, which must be valid together.
    ///
    /// - Throws: `CommandError` of code 69 if a file cannot be read, and of code 65 if the certificate is invalid, or
    ///   others can read the key.
    func read(at now: Timestamp) throws(CommandError) -> ServerCertificate {
        let chain = try bytes(of: settings.certificate, .tlsCertificate)
        let key = try bytes(of: settings.key, .tlsKey)
        if let fault = KeyFileRights.fault(ofFileAt: settings.key) { throw CommandError.badData(fault) }
        do throws(ServerCertificateError) {
            return try ServerCertificate(chain: chain, key: key, at: now.millisecondsSinceEpoch / 1000)
        } catch {
            let (path, setting) =
                error.isOfKey ? (settings.key, Setting.tlsKey) : (settings.certificate, Setting.tlsCertificate)
            throw CommandError.badData("`\(path)` (\(setting.rawValue)) \(error.message)")
        }
    }

    private func bytes(of path: String, _ setting: Setting) throws(CommandError) -> [UInt8] {
        do throws(CatalogFileError) {
            return try CatalogLoader.bytes(of: path)
        } catch {
            let ways = setting.waysToSet(in: settings.settingsFile)
            throw CommandError.unavailable("cannot read `\(path)`, which is set by \(ways): \(error.reason)")
        }
    }
}
