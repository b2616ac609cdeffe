import DeepLinkCore
package import DeepLinkFormats

/// The user that a request is about: named once, or twice the same.
package enum RequestedUser {
    /// Returns the user named by the request's own fields or its header `Waymark-User`; `nil` if neither names one.
    ///
    /// - Throws: ``Problem`` if an id isn't valid, or the two differ.
    package static func user(_ named: String?, fields: FieldValues) throws(Problem) -> UserID? {
        let byField = try named.map { text throws(Problem) in try id(text, field: "user") }
        guard fields.count <= 1 else {
            throw .invalidRequest(
                field: "Waymark-User",
                reason: .duplicate,
                detail: "The header `Waymark-User` is given twice."
            )
        }
        // Bytes that are not UTF-8 arrive as U+FFFD, and would make one user of several.
        guard fields.first?.unicodeScalars.contains("\u{FFFD}") != true else {
            throw .invalidRequest(
                field: "Waymark-User",
                reason: .malformed,
                detail: "The header `Waymark-User` is not UTF-8."
            )
        }
        let byHeader = try fields.first.map { text throws(Problem) in try id(text, field: "Waymark-User") }
        return try NamedTwice(field: "user", header: "Waymark-User", values: "users").value(byField, byHeader: byHeader)
    }

    /// Reads a user's id.
    package static func id(_ text: String, field: String) throws(Problem) -> UserID {
        guard let id = UserID(text) else {
            throw .invalidRequest(
                field: field,
                reason: .invalidValue,
                detail:
                    "A user id is 1 to \(UserID.maximumByteCount) bytes of UTF-8 without control characters, not `.` or `..`."
            )
        }
        return id
    }
}
