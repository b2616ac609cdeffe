/// The error of a change whose outcome is unknown: the database was lost while it was being committed, and has not come
/// back in time.
///
/// The stored state must be read before the change is sent again.
package struct WriteOutcomeUnknownError: Error, CustomStringConvertible {
    /// The description of the database failure.
    package let description: String

    /// Creates a report.
    package init(_ description: String) {
        self.description = description
    }
}
