import DeepLinkCore
import DeepLinkFormats
import DeepLinkUsers

/// The output of user states.
enum UserOutput {
    /// The author of the command line's changes, for the history.
    static let author = "command line"

    /// Prints one line for each state.
    static func print(_ states: [UserState], format: OutputFormat, levels: LevelLadder) {
        let now = Clock.now()
        var table = TextTable()
        for state in states {
            switch format {
            case .json: JSONOutput.print(UserBody(state, at: now, levels: levels))
            case .text:
                table.append([
                    state.id.text,
                    levels.text(of: state.level(at: now, in: levels)),
                    "version \(state.version)",
                    state.grant.validUntil.map { "valid until \($0.rfc3339)" } ?? "",
                ])
            }
        }
        // One call per page: each takes the lock of standard output, and there may be a million lines.
        if format == .text { Swift.print(table.lines.map { $0 + "\n" }.joined(), terminator: "") }
    }
}
