package import DeepLinkCore
package import DeepLinkFormats

/// A line read from an audit log.
package struct AuditRecord: Sendable {
    /// The maximum length of a line, in bytes.
    ///
    /// Longer lines do not belong to this log.
    package static let maximumByteCount = 1 << 20

    /// The bytes of the line, without the line feed.
    package let bytes: [UInt8]

    /// The kind of change, possibly added by a later version.
    package let action: String

    /// The time of the change.
    package let time: Timestamp

    /// The author's kind, id and name, as far as the line has them.
    package let actor: (kind: String, id: String?, name: String?)

    /// The peer's address and the forwarded one, as far as the line has them.
    package let origin: (peer: String?, forwarded: String?)

    /// The name of the changed user, or `nil` for none.
    package let user: String?

    /// The names of all users in the line: the changed one, and the users that a short link was about before and is
    /// about after.
    package var users: [String] {
        [user, before.about, after.about].compactMap(\.self)
    }

    /// The changed service token or short link, or `nil` for none.
    package let object: String?

    /// The state before the change, or null for none.
    package let before: JSONValue

    /// The state after the change, or null for none.
    package let after: JSONValue

    /// The reason, or `nil` for none.
    package let reason: String?

    /// The id of the request, or `nil` for none.
    package let requestID: String?

    /// Reads a line that begins like the lines of the log, or returns `nil` if it is damaged.
    package init?(_ bytes: [UInt8]) {
        guard case .object(let members)? = try? JSONParser.parse(bytes), let action = members.text("audit"),
            let time = members.text("time").flatMap(Timestamp.init(rfc3339:)), case .object(let by)? = members["by"],
            let kind = by.text("kind")
        else { return nil }
        self.bytes = bytes
        self.action = action
        self.time = time
        actor = (kind, by.text("id"), by.text("name"))
        if case .object(let from)? = members["from"] {
            origin = (from.text("peer"), from.text("forwarded"))
        } else {
            origin = (nil, nil)
        }
        user = members.text("user")
        object = members.text("token") ?? members.text("shortLink")
        before = members["before"] ?? .null
        after = members["after"] ?? .null
        reason = members.text("reason")
        requestID = members.text("requestId")
    }
}

extension JSONValue {
    /// The name of the user that a short link in this state is about, or `nil` for none.
    fileprivate var about: String? {
        guard case .object(let members) = self else { return nil }
        return members.text("about")
    }
}
