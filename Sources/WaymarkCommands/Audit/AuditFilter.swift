import DeepLinkCore
import DeepLinkReporting
import DeepLinkUsers

/// The conditions that lines of an audit log must meet.
struct AuditFilter {
    /// The first moment; `nil` for any.
    var since: Timestamp?

    /// The last moment; `nil` for any.
    var until: Timestamp?

    /// The author's kind, id or name; `nil` for any.
    var author: String?

    /// The name in the log of the user who is the author; `nil` if that isn't a user.
    var authorName: String?

    /// The name in the log of the user who was changed; `nil` for any.
    var user: String?

    /// Takes the name in the log of the author, if that is a user.
    mutating func nameAuthor(in store: any AuditNameStore) async throws {
        guard let id = author.flatMap(UserID.init(stored:)) else { return }
        authorName = try await store.auditName(of: id)?.text
    }

    /// Returns whether a line meets all conditions.
    func matches(_ record: AuditRecord) -> Bool {
        if let since, record.time < since { return false }
        if let until, record.time > until { return false }
        if let user, !record.users.contains(where: { $0.bytewise == user.bytewise }) { return false }
        guard let author else { return true }
        let marks = [record.actor.kind, record.actor.id, record.actor.name].compactMap(\.self)
        return marks.contains { $0.bytewise == author.bytewise || $0.bytewise == authorName?.bytewise }
    }
}

/// A bound of a time span on the command line: a moment, a day in UTC, or a time before now.
enum AuditMoment {
    private static let form =
        "write a moment such as 2026-11-22T08:00:00Z, a day, or a time before now such as 7d or 12h"

    /// Reads the first moment of a span.
    ///
    /// - Throws: ``CommandError`` of code 64 for any other text.
    static func start(_ text: String, at now: Timestamp) throws(CommandError) -> Timestamp {
        if let time = Timestamp(rfc3339: text + "T00:00:00Z") { return time }
        return try moment(text, at: now)
    }

    /// Reads the last moment of a span: of a day, its end.
    ///
    /// - Throws: ``CommandError`` of code 64 for any other text.
    static func end(_ text: String, at now: Timestamp) throws(CommandError) -> Timestamp {
        if let time = Timestamp(rfc3339: text + "T23:59:59.999Z") { return time }
        return try moment(text, at: now)
    }

    private static func moment(_ text: String, at now: Timestamp) throws(CommandError) -> Timestamp {
        if let time = Timestamp(rfc3339: text) ?? ExpiryArgument.moment(text, before: now) { return time }
        throw CommandError(.usage, message: "`\(text)` isn't a time; \(form).")
    }
}
