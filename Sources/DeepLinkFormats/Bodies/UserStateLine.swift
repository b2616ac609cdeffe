package import DeepLinkCore

/// One line of a file of user states, as `waymark user export` writes it.
package struct UserStateLine {
    /// Whose state.
    package let id: UserID

    /// What to set.
    package let grant: LevelGrant

    /// Reads the bytes of a line; the version and the time of its last change are not taken over.
    ///
    /// - Throws: ``Problem`` of code `invalid-request`, naming the field.
    package init(_ bytes: [UInt8]) throws(Problem) {
        let body = try JSONObjectBody(bytes, keys: ["id"] + JSONObjectBody.grantKeys + ["version", "updatedAt"])
        id = try RequestedUser.id(try body.requiredString("id"), field: "id")
        grant = try body.grant()
    }
}
