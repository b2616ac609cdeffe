/// The report that nobody can say whether a change was made: the database was lost while it was being committed, and has
/// not come back in time.
///
/// What is stored must be read before the change is asked for again.
public struct WriteOutcomeUnknownError: Error, CustomStringConvertible {
    /// How the database was lost.
    public let description: String

    /// Creates a report.
    public init(_ description: String) {
        self.description = description
    }
}
