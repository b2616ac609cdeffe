import DeepLinkCore
import DeepLinkFormats
import DeepLinkStorage

/// The output of user states.
enum UserOutput {
    /// The author of the command line's changes, for the history.
    static let author = "command line"

    /// Returns the grants of a user in words; empty for none.
    static func text(of grants: [HeldGrant], names: GrantNames) -> String {
        names.presented(grants)
            .map { grant in grant.name.text + (grant.validUntil.map { " until \($0.rfc3339)" } ?? "") }
            .joined(separator: ", ")
    }

    /// Prints one line for each state.
    static func print(_ states: [UserState], format: OutputFormat, names: AccessNames) {
        let now = Clock.now()
        var table = TextTable()
        for state in states {
            switch format {
            case .json: JSONOutput.print(UserBody(state, at: now, names: names))
            case .text:
                table.append([
                    state.id.text,
                    names.levels.text(of: state.level(at: now, in: names.levels)),
                    "version \(state.version)",
                    state.level.validUntil.map { "valid until \($0.rfc3339)" } ?? "",
                    text(of: state.access.grants(at: now), names: names.grants),
                ])
            }
        }
        // One call per page: each takes the lock of standard output, and there may be a million lines.
        if format == .text { Swift.print(table.lines.map { $0 + "\n" }.joined(), terminator: "") }
    }
}
