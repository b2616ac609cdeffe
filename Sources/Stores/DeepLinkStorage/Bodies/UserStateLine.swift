package import DeepLinkCore
package import DeepLinkFormats

/// One line of a file of user states, as `waymark user export` writes it.
package struct UserStateLine {
    /// The user.
    package let id: UserID

    /// The level to set.
    package let level: HeldLevel

    /// The grants in place of all; `nil` to leave them.
    package let grants: [HeldGrant]?

    /// The moment as of which the line counts; `nil` for now.
    package let asOf: Timestamp?

    /// Reads the bytes of a line at a moment, by the names of a catalog; the version and the time of its last change are
    /// not taken over.
    ///
    /// - Throws: ``Problem`` of code `invalid-request`, naming the field.
    package init(_ bytes: [UInt8], at time: Timestamp, names: AccessNames) throws(Problem) {
        let body = try JSONObjectBody(bytes, keys: JSONObjectBody.userKeys)
        id = try RequestedUser.id(try body.requiredString("id"), field: "id")
        level = try body.heldLevel(in: names.levels)
        grants = try body.grants(among: names.grants)
        asOf = try body.asOf(at: time)
    }
}
