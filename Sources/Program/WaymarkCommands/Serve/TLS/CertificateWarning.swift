import DeepLinkCore
import Logging

/// The warning of a certificate that ends soon, or has ended.
struct CertificateWarning {
    /// The time before the end from which on it is warned of: 14 days, in milliseconds.
    private static let noticeTime: Int64 = 14 * 86_400_000

    let level: Logger.Level

    let text: String

    /// Creates the warning of an end; `nil` if it is far.
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
