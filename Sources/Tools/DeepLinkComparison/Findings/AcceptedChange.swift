import DeepLinkCore

/// A change that is known and intended, with a reason and an end date.
package struct AcceptedChange: Sendable {
    /// The identity of the change, without its wording.
    package let identity: Finding.Identity

    /// The reason for accepting the change.
    package let reason: String

    /// The last day on which the entry is valid, as `YYYY-MM-DD`.
    package let until: String

    /// The line of the entry in its file.
    package let line: Int

    /// Creates an entry.
    package init(identity: Finding.Identity, reason: String, until: String, line: Int) {
        self.identity = identity
        self.reason = reason
        self.until = until
        self.line = line
    }
}
