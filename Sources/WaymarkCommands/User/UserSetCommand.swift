import ArgumentParser
import DeepLinkCore
import DeepLinkStorage
import DeepLinkUsers

/// The command that sets one user's level.
struct UserSetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Sets one user's level, replacing the whole state."
    )

    @OptionGroup var user: UserOptions

    @Argument(help: "The level to set.")
    var level: LevelArgument

    @Option(help: "When the level ends, such as 2027-01-01T00:00:00Z; without it, never.")
    var validUntil: String?

    @Option(help: "The level from then on; without it, one lower.")
    var levelAfter: LevelArgument?

    @Option(help: "The output format: text or json.")
    var format: OutputFormat = .text

    @OptionGroup var new: NewDatabaseOption

    func run() async throws {
        let id = try UserArgument.id(user.id)
        let end = try validUntil.map(UserArgument.timestamp)
        let workspace = Workspace(settings: try user.shared.settings())
        try await workspace.withStore(named: true, creating: new.create) { store in
            let levels = try await workspace.levels(ofCatalog: user.shared.catalog != nil, in: store)
            let grant = try grant(until: end, in: levels)
            let write = UserStateWrite(id: id, grant: grant, time: Clock.now(), author: UserOutput.author)
            UserOutput.print([try await store.save(write).state], format: format, levels: levels)
        }
    }

    private func grant(until end: Timestamp?, in levels: LevelLadder) throws(CommandError) -> LevelGrant {
        let level = try level.level(in: levels)
        let after = try levelAfter.map { name throws(CommandError) in try name.level(in: levels) }
        if let grant = levels.grant(of: level, validUntil: end, levelAfter: after) { return grant }
        throw CommandError(
            .usage,
            message: "--level-after is higher than the level; a level can only fall when it ends."
        )
    }
}
