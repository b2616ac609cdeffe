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
            try await store.visitStates { UserOutput.print($0, format: format, names: names) }
        }
    }
}

/// The reader of a list of the store in pages.
enum ListPages {
    static let size = 1000

    /// Calls a body with each page.
    ///
    /// `read` reads at most ``size`` items after the given one, or the first page.
    static func visit<Item>(
        _ read: (_ last: Item?) async throws -> [Item],
        _ body: ([Item]) throws -> Void
    ) async throws {
        var last: Item?
        while true {
            let page = try await read(last)
            try body(page)
            guard page.count == size else { return }
            last = page.last
        }
    }

    /// Returns the items of all pages.
    static func all<Item>(_ read: (_ last: Item?) async throws -> [Item]) async throws -> [Item] {
        var items: [Item] = []
        try await visit(read) { items += $0 }
        return items
    }
}

extension UserStateStore {
    /// Calls a body with all states in pages, sorted by id.
    func visitStates(_ body: ([UserState]) throws -> Void) async throws {
        try await ListPages.visit({ try await states(after: $0?.id, limit: ListPages.size) }, body)
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
            try await store.visitStates { page in
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
