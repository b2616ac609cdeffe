import ArgumentParser
import DeepLinkCore
import DeepLinkFormats
import DeepLinkStorage

/// The command that writes all user states in a format that can be imported.
struct UserExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Prints all user states as they are stored, one JSON object a line; `user import` reads them.",
        discussion: "waymark user export > users.ndjson"
    )

    @OptionGroup var shared: SharedOptions

    func run() async throws {
        let workspace = Workspace(settings: try shared.settings())
        try await workspace.withStore(named: true) { store in
            let names = try await workspace.names(ofCatalog: shared.catalog != nil, in: store)
            try await UserPages(store)
                .visit { page in
                    let now = Clock.now()
                    for state in page { JSONOutput.print(UserBody(state, at: now, names: names)) }
                }
        }
    }
}
