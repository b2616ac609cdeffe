import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkHTTP
import DeepLinkReporting
import DeepLinkStorage
import Logging

/// The logs of a server in files.
extension Server {
    /// Returns the file of the resolution log; `nil` for none.
    func resolutionLog() throws(CommandError) -> ResolutionLogFile? {
        guard !settings.resolutionLogPath.isEmpty else { return nil }
        return try ResolutionLogFile(
            path: settings.resolutionLogPath,
            maximumByteCount: settings.maximumResolutionLogByteCount,
            logger: logger
        )
    }

    /// Opens the audit log; `nil` for none.
    func auditLog() throws(CommandError) -> AuditLogWriter? {
        try AuditLogWriter(settings.audit) { [logger, place = settings.audit] message, isFault in
            let file = if case .file(let path) = place { path } else { "stderr" }
            logger.log(level: isFault ? .error : .info, "\(message)", metadata: ["file": "\(file)"])
        }
    }

    /// Returns the audit log as endpoints and services write it.
    func audit(_ parts: ServerParts) -> AuditTrail {
        parts.auditLog.map { AuditTrail($0, tokens: parts.authentication.serviceTokens) } ?? .none
    }
}
