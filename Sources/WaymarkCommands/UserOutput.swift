import DeepLinkCore
import DeepLinkHTTP

/// Prints user states.
enum UserOutput {
    /// Who makes the changes of the command line, for the history.
    static let author = "command line"

    /// Prints one line for each state.
    static func print(_ states: [UserState], _ format: OutputFormat) {
        let now = Clock.now()
        var table = TextTable()
        for state in states {
            switch format {
            case .json: JSONOutput.print(UserBody(state, at: now))
            case .text:
                table.append([
                    state.id.text,
                    state.level(at: now).name,
                    "version \(state.version)",
                    state.grant.validUntil.map { "valid until \($0.rfc3339)" } ?? "",
                ])
            }
        }
        for line in table.lines { Swift.print(line) }
    }
}
