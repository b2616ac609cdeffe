import ArgumentParser
import DeepLinkCore
import DeepLinkFormats
import DeepLinkReporting
import DeepLinkStorage

/// The command that gives a level another name in all stored users.
package struct UserRenameLevelCommand: AsyncParsableCommand {
    /// The time after which a running server reads the names of levels again.
    package static let watchInterval = Duration.seconds(1)

    /// The time in which running servers learn of the new name before the first user has it: several of their reads.
    private static let notice = watchInterval * 3

    /// The pause for a server between two batches.
    private static let pause = Duration.milliseconds(30)

    static let configuration = CommandConfiguration(
        commandName: "rename-level",
        abstract: "Renames a level in all stored users and their history, while servers run.",
        discussion: """
            waymark user rename-level signedInUser verified

            First put a catalog in force that has the former name too: `{ name: verified, was: signedInUser }`. It \
            accepts both names. Then run this command, and again after an interruption. Once every server has that \
            catalog, you can remove `was`. Servers with only the former name in their catalog treat the new one as the \
            same level: they learn of it before the first user has it, which takes 3 s. No user's version changes.
            """
    )

    @Argument(help: "The current name in users' states.")
    var old: LevelArgument

    @Argument(help: "The new name.")
    var new: LevelArgument

    @OptionGroup var shared: SharedOptions

    func run() async throws {
        let (former, latter) = (try name(old), try name(new))
        guard former != latter else { throw CommandError.usage("the old name and the new one are the same.") }
        let workspace = try shared.workspace()
        let audit = try workspace.audit()
        let renaming = try await workspace.withStore(named: true) { store in
            try await store.keepLevelRename(LevelRename(former, to: latter))
            // From here on, servers read the new name, whatever happens to the rows.
            await audit.note(
                .renameLevel,
                of: .database,
                before: .facts([("authorizationLevel", .string(former.text))]),
                after: .facts([("authorizationLevel", .string(latter.text))])
            )
            try await Task.sleep(for: Self.notice)
            return try await store.renameLevel(former, to: latter, pausing: Self.pause)
        }
        print("\(renaming.userCount.counted("user")) and \(renaming.changeCount.counted("change")) are renamed")
    }

    private func name(_ argument: LevelArgument) throws(CommandError) -> LevelName {
        if let name = LevelName(argument.name) { return name }
        throw CommandError.usage("`\(argument.name)` isn't the name of a level: \(LevelName.form).")
    }
}
