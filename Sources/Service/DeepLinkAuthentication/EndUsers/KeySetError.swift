/// The reason why there is no key set, without anything of a key but its id.
package enum KeySetError: Error, CustomStringConvertible, Hashable {
    /// The file or URL could not be read; the text is a sentence.
    case unavailable(String)

    /// The document isn't a usable key set; each text is a sentence.
    case invalid([String])

    /// The maximum number of issues that are reported at once: the author of the keys must not be able to fill the log.
    static let maximumIssueCount = 20

    /// The description of the error.
    package var description: String {
        switch self {
        case .unavailable(let reason): reason
        case .invalid(let issues):
            issues.prefix(Self.maximumIssueCount).joined(separator: " ")
                + (issues.count > Self.maximumIssueCount ? " There are \(issues.count) issues." : "")
        }
    }
}
