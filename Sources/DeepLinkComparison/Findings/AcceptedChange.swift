import DeepLinkCore

/// A change that is known and meant, for a reason and for a time.
package struct AcceptedChange: Sendable {
    /// The change, by what it is about and never by its wording.
    package let identity: Finding.Identity

    /// The reason why it is meant.
    package let reason: String

    /// The last day on which it counts, as `YYYY-MM-DD`.
    package let until: String

    /// The line of the file that says so.
    package let line: Int

    /// Puts an entry together.
    package init(identity: Finding.Identity, reason: String, until: String, line: Int) {
        self.identity = identity
        self.reason = reason
        self.until = until
        self.line = line
    }
}
