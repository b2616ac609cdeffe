import DeepLinkCore
import DeepLinkFormats
import DeepLinkReporting
import DeepLinkStorage
import Foundation

/// The audit log of a command that changes the database itself: the file named by the setting, if it names one.
struct CommandAudit: Sendable {
    /// No audit log.
    static let none = CommandAudit()

    private let log: AuditLogWriter?

    private init() { log = nil }

    /// Opens the log, before anything is changed.
    ///
    /// - Throws: ``CommandError`` of code 69 if the file cannot be opened.
    init(_ settings: Settings) throws(CommandError) {
        guard case .file = settings.audit else {
            log = nil
            return
        }
        log = try AuditLogWriter(settings.audit, settingsFile: settings.file) { message, _ in
            StandardError.print("waymark: warning: \(message)")
        }
    }

    /// Whether changes are logged.
    var isKept: Bool { log != nil }

    /// Writes the lines of changes of users.
    ///
    /// Unchanged users are left out.
    func note(_ action: AuditAction, _ changes: [AuditedChange]) async {
        guard let log else { return }
        let (time, author) = (SystemClock.now(), Self.author)
        await log.write(changes.map { AuditEntry(action, $0, at: time, by: author) })
    }

    /// Writes the line of a change of a user, if anything has changed.
    func note(_ action: AuditAction, _ change: AuditedChange?) async { await note(action, change.map { [$0] } ?? []) }

    /// Writes the line of any other change.
    func note(
        _ action: AuditAction,
        of subject: AuditEntry.Subject,
        before: AuditEntry.State? = nil,
        after: AuditEntry.State? = nil
    ) async {
        await log?
            .write([
                AuditEntry(action, of: subject, at: SystemClock.now(), by: Self.author, before: before, after: after)
            ])
    }

    /// Writes the lines of changes of short links.
    ///
    /// Unchanged links are left out.
    func note(_ saved: [ShortLinkWriteResult]) async {
        guard let log else { return }
        let (time, author) = (SystemClock.now(), Self.author)
        await log.write(saved.compactMap { AuditEntry($0, at: time, by: author) })
    }

    /// The system user that runs the command and, according to `sudo`, the user that became this one.
    private static var author: AuditActor {
        AuditActor(
            .commandLine,
            id: FileOwner.name(of: getuid()),
            name: ProcessInfo.processInfo.environment["SUDO_USER"]
        )
    }
}

extension ServiceToken {
    /// The properties of the token for the audit log.
    var auditFacts: [(name: String, value: JSONValue)] {
        var facts: [(name: String, value: JSONValue)] = [("role", .string(role.rawValue))]
        if !grants.isEmpty { facts.append(("grants", .array(grants.map { .string($0.text) }))) }
        if !note.isEmpty { facts.append(("note", .string(note))) }
        if let expires { facts.append(("expires", .string(expires.rfc3339))) }
        if let revoked { facts.append(("revokedAt", .string(revoked.rfc3339))) }
        return facts
    }
}
