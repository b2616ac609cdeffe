package import DeepLinkCore
package import DeepLinkFormats

/// A line of an audit log that was read.
package struct AuditRecord: Sendable {
    /// The most bytes of a line; longer ones are none of this log.
    package static let maximumByteCount = 1 << 20

    /// The bytes of the line, without its end.
    package let bytes: [UInt8]

    /// The kind of change, which a later version may have added.
    package let action: String

    /// The time of the change.
    package let time: Timestamp

    /// The author's kind, id and name, those that the line has.
    package let actor: (kind: String, id: String?, name: String?)

    /// The peer's address and the forwarded one, those that the line has.
    package let origin: (peer: String?, forwarded: String?)

    /// The name of the user whom the change concerns; `nil` for none.
    package let user: String?

    /// The names of all users in the line: the one whom it concerns, and those whom a short link was about, and is.
    package var users: [String] {
        [user, before.about, after.about].compactMap(\.self)
    }

    /// The service token or the short link that the change concerns; `nil` for none.
    package let object: String?

    /// The state before; null for none.
    package let before: JSONValue

    /// The state after; null for none.
    package let after: JSONValue

    /// The reason; `nil` for none.
    package let reason: String?

    /// The id of the request; `nil` for none.
    package let requestID: String?

    /// Reads a line that begins as the lines of the log do; `nil` if it is damaged.
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
    /// The name of the user whom a short link in this state is about; `nil` for nobody.
    fileprivate var about: String? {
        guard case .object(let members) = self else { return nil }
        return members.text("about")
    }
}
