package import DeepLinkCore
package import DeepLinkUsers

/// One line of a file of user states, as `waymark user export` writes it.
package struct UserStateLine {
    /// The user.
    package let id: UserID

    /// The grant to set.
    package let grant: LevelGrant

    /// The moment as of which the grant counts; `nil` for now.
    package let asOf: Timestamp?

    /// Reads the bytes of a line at a moment, by the names of a ladder; the version and the time of its last change are not taken over.
    ///
    /// - Throws: ``Problem`` of code `invalid-request`, naming the field.
    package init(_ bytes: [UInt8], at time: Timestamp, levels: LevelLadder) throws(Problem) {
        let body = try JSONObjectBody(bytes, keys: JSONObjectBody.userKeys)
        id = try RequestedUser.id(try body.requiredString("id"), field: "id")
        grant = try body.grant(in: levels)
        asOf = try body.asOf(at: time)
    }
}
