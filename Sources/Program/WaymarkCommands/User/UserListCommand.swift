import ArgumentParser
import DeepLinkCore
import DeepLinkFormats
import DeepLinkStorage

/// The command that lists all user states.
struct UserListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists all user states, sorted by id. As JSON, one per line."
    )

    @Option(help: .format) var format: OutputFormat = .text

    @OptionGroup var shared: SharedOptions

    func run() async throws {
        try await shared.readingUsers { store, names in
            try await UserPages(store).visit { UserOutput.print($0, format: format, names: names) }
        }
    }
}

/// The reader of user states, or of the history of one user, in pages.
struct UserPages {
    private static let pageSize = 1000

    private let store: any UserStateStore

    init(_ store: any UserStateStore) {
        self.store = store
    }

    /// Reads all stored changes of a user.
    func history(of id: UserID) async throws -> [UserChange] {
        var changes: [UserChange] = []
        while true {
            let page = try await store.history(of: id, after: changes.last?.version ?? 0, limit: Self.pageSize)
            changes += page
            guard page.count == Self.pageSize else { return changes }
        }
    }

    /// Calls a body with each page, sorted by id.
    func visit(_ body: ([UserState]) throws -> Void) async throws {
        var last: UserID?
        while true {
            let page = try await store.states(after: last, limit: Self.pageSize)
            try body(page)
            guard page.count == Self.pageSize else { return }
            last = page.last?.id
        }
    }
}

/// The command that exports all user states in a format for import.
struct UserExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Prints all user states as stored, with one JSON object per line. `user import` reads them.",
        discussion: "waymark user export > users.ndjson"
    )

    @OptionGroup var shared: SharedOptions

    func run() async throws {
        try await shared.readingUsers { store, names in
            try await UserPages(store)
                .visit { page in
                    let now = SystemClock.now()
                    for state in page { JSONOutput.print(UserBody(state, at: now, names: names)) }
                }
        }
    }
}

/// The command that shows one user's state.
struct UserGetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get",
        abstract: "Shows one user's state. Exits with 1 if there is none."
    )

    @Option(help: .format) var format: OutputFormat = .text

    @OptionGroup var user: UserOptions

    func run() async throws {
        try await user.withStore { id, store, names in
            guard let state = try await store.state(of: id) else { throw user.noState(of: id) }
            UserOutput.print([state], format: format, names: names)
        }
    }
}
