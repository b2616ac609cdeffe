package import DeepLinkCore
package import HTTPTypes

/// Finds out which user a request is about: named once, or twice the same.
package enum UserNaming {
    /// The header field that names the user.
    static let header: HTTPField.Name? = HTTPField.Name("Waymark-User")

    /// Finds the user that the request's own fields or its header name; `nil` where neither does.
    ///
    /// - Throws: ``Problem`` where an id is no id, or the two differ.
    package static func user(_ named: String?, _ headers: HTTPFields) throws(Problem) -> UserID? {
        let byField = try named.map { text throws(Problem) in try id(text, field: "user") }
        let values = header.map { headers[values: $0] } ?? []
        guard values.count <= 1 else {
            throw .invalidRequest(field: "Waymark-User", .duplicate, "The header `Waymark-User` is given twice.")
        }
        // Bytes that are not UTF-8 arrive as U+FFFD, and would make one user of several.
        guard values.first?.unicodeScalars.contains("\u{FFFD}") != true else {
            throw .invalidRequest(field: "Waymark-User", .malformed, "The header `Waymark-User` is not UTF-8.")
        }
        let byHeader = try values.first.map { text throws(Problem) in try id(text, field: "Waymark-User") }
        if let byField, let byHeader, byField != byHeader {
            throw .invalidRequest(
                field: "user",
                .conflict,
                "`user` and the header `Waymark-User` name different users; name one."
            )
        }
        return byField ?? byHeader
    }

    /// Reads a user's id.
    package static func id(_ text: String, field: String) throws(Problem) -> UserID {
        guard let id = UserID(text) else {
            throw .invalidRequest(
                field: field,
                .invalidValue,
                "A user id is 1 to \(UserID.maximumByteCount) bytes of UTF-8 without control characters, not `.` or `..`."
            )
        }
        return id
    }
}
