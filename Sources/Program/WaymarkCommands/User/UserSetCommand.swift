import ArgumentParser
import DeepLinkCore
import DeepLinkReporting
import DeepLinkStorage

/// The command that sets one user's level.
struct UserSetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Sets one user's level with its expiry. The grants stay."
    )

    @OptionGroup var user: UserOptions

    @Argument(help: "The level to set.")
    var level: LevelArgument

    @Option(help: "When the level expires, such as 2027-01-01T00:00:00Z. Default: never.")
    var validUntil: String?

    @Option(help: "The level from then on. Default: one lower.")
    var levelAfter: LevelArgument?

    @Option(help: .format) var format: OutputFormat = .text

    @OptionGroup var new: NewDatabaseOption

    func run() async throws {
        let id = try UserArgument.id(user.id)
        let end = try validUntil.map(UserArgument.timestamp)
        try await user.shared.changingUsers(creating: new.create) { store, names, audit in
            let write = UserStateWrite(
                id: id,
                level: try level(until: end, in: names.levels),
                time: SystemClock.now(),
                author: UserOutput.author,
                isAudited: audit.isKept
            )
            let saved = try await store.save(write)
            await audit.note(.setUser, saved.audited)
            UserOutput.print([saved.state], format: format, names: names)
        }
    }

    private func level(until end: Timestamp?, in levels: LevelLadder) throws(CommandError) -> LevelAssignment {
        let level = try level.level(in: levels)
        let after = try levelAfter.map { name throws(CommandError) in try name.level(in: levels) }
        if let held = levels.heldLevel(of: level, validUntil: end, levelAfter: after) { return held }
        throw CommandError.usage("--level-after is higher than the level. A level can only fall when it expires.")
    }
}

/// The command that deletes one user's state.
struct UserDeleteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Deletes one user's state. Exits with 1 if there is none."
    )

    @Flag(help: "Also delete the history, and all other data of the user except in backups.")
    var eraseHistory = false

    @OptionGroup var user: UserOptions

    func run() async throws {
        try await user.withAuditedStore { id, store, _, audit in
            let removal = UserStateRemoval(
                id: id,
                time: SystemClock.now(),
                author: UserOutput.author,
                isErasure: eraseHistory,
                isAudited: audit.isKept
            )
            let removed = try await store.apply(removal)
            await audit.note(eraseHistory ? .eraseUser : .deleteUser, removed.audited)
            guard removed.wasThere else { throw user.noState(of: id) }
        }
    }
}
