import ArgumentParser
import DeepLinkCore
import DeepLinkStorage

/// The command that shows one user's state.
struct UserGetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get",
        abstract: "Shows one user's state; exits with 1 if there is none."
    )

    @Option(help: "The output format: text or json.")
    var format: OutputFormat = .text

    @OptionGroup var user: UserOptions

    func run() async throws {
        try await user.withStore { id, store, names in
            guard let state = try await store.state(of: id) else { throw user.noState(of: id) }
            UserOutput.print([state], format: format, names: names)
        }
    }
}
