import ArgumentParser
import DeepLinkCore
import DeepLinkStore

/// Shows one user's state.
struct UserGetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get",
        abstract: "Shows one user's state; exits with 1 where there is none."
    )

    @Argument(help: "The user's id.")
    var id: String

    @Option(help: "How to print the state: text or json.")
    var format: OutputFormat = .text

    @OptionGroup var shared: SharedOptions

    func run() async throws {
        let id = try UserArgument.storedID(id)
        let workspace = Workspace(settings: try shared.settings())
        try await workspace.withExistingStore { store in
            guard let state = try store.state(of: id) else {
                throw CommandFailure(.no, "there is no state of the user `\(id.text)`.")
            }
            UserOutput.print([state], format)
        }
    }
}
