import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkReporting
import DeepLinkStorage

/// The conditions that lines of an audit log must meet.
struct AuditFilter {
    /// The start of the span, or `nil` for any time.
    var since: Timestamp?

    /// The end of the span, or `nil` for any time.
    var until: Timestamp?

    /// The alternative values of the author: a kind, an id or a name.
    ///
    /// `nil` for any author.
    private(set) var authors: [String]?

    /// The user's name in the log, or `nil` for any user.
    var user: String?

    /// Sets the author: a kind, an id, a name, a whole token, or an author as written in a user's history, such as
    /// `token qd3fwf78ryx2` or `person mia (f81d4fae)`.
    mutating func take(author text: String) {
        var marks = [text]
        if let token = ServiceTokenText(text) { marks.append(token.id.text) }
        let words = text.utf8.split(separator: UInt8(ascii: " "), maxSplits: 1).map { String(Substring($0)) }
        if words.count == 2, ["token", "user", "person"].contains(where: { $0.bytewise == words[0].bytewise }) {
            marks.append(words[1])
            if let subject = words[1].wholeMatch(of: /.* \(([^()]+)\)/) { marks.append(String(subject.1)) }
        }
        authors = marks
    }

    /// Adds the author's name in the log, if the author is a user.
    mutating func nameAuthor(in store: any AuditNameStore) async throws {
        for id in (authors ?? []).compactMap(UserID.init(stored:)) {
            if let name = try await store.auditName(of: id) { authors?.append(name.text) }
        }
    }

    /// Returns whether a line meets all conditions.
    func matches(_ record: AuditRecord) -> Bool {
        if let since, record.time < since { return false }
        if let until, record.time > until { return false }
        if let user, !record.users.contains(where: { $0.bytewise == user.bytewise }) { return false }
        guard let authors else { return true }
        let marks = [record.actor.kind, record.actor.id, record.actor.name].compactMap(\.self)
        return marks.contains { mark in authors.contains { $0.bytewise == mark.bytewise } }
    }
}

/// A bound of a time span on the command line: a time, a day in UTC, or a duration before now.
enum AuditTimeBound {
    /// Reads the start of a span.
    ///
    /// - Throws: ``CommandError`` of code 64 for any other text.
    static func start(_ text: String, at now: Timestamp) throws(CommandError) -> Timestamp {
        try bound(text, ofDay: "T00:00:00Z", at: now)
    }

    /// Reads the end of a span.
    ///
    /// For a day, it is the end of the day.
    ///
    /// - Throws: ``CommandError`` of code 64 for any other text.
    static func end(_ text: String, at now: Timestamp) throws(CommandError) -> Timestamp {
        try bound(text, ofDay: "T23:59:59.999Z", at: now)
    }

    private static func bound(_ text: String, ofDay time: String, at now: Timestamp) throws(CommandError) -> Timestamp {
        let day = Timestamp(rfc3339: text + time)
        if let bound = day ?? Timestamp(rfc3339: text) ?? ExpiryArgument.moment(text, before: now) { return bound }
        throw CommandError.usage(
            "`\(text)` isn't a time; write a time such as 2026-11-22T08:00:00Z, a day, or a duration before now such as "
                + "7d or 12h."
        )
    }
}
