import ArgumentParser
import DeepLinkCore
import DeepLinkReporting
import DeepLinkStorage

/// The command that gives a user a grant.
struct UserGrantCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "grant",
        abstract: "Gives one user a grant. The level and the other grants stay.",
        discussion: """
            waymark user grant ada pro --valid-until 2027-01-01T00:00:00Z

            A user without a state gets the lowest level. The names of grants come from the catalog of --catalog, or \
            from the catalog that the server had in force last.
            """
    )

    @OptionGroup var user: UserOptions

    @Argument(help: "The name of the grant.")
    var name: String

    @Option(help: "When the grant expires, such as 2027-01-01T00:00:00Z. Default: never.")
    var validUntil: String?

    @Option(help: .format) var format: OutputFormat = .text

    @OptionGroup var new: NewDatabaseOption

    func run() async throws {
        let id = try UserArgument.id(user.id)
        let end = try validUntil.map(UserArgument.timestamp)
        try await user.shared.changingUsers(creating: new.create) { store, names, audit in
            let grant = try GrantArgument.name(name, among: names.grants)
            let change = GrantWrite.Change.hold(until: end)
            let saved = try await GrantArgument.save(change, of: grant, to: id, in: store, names: names, audit: audit)
            UserOutput.print([saved.state].compactMap(\.self), format: format, names: names)
        }
    }
}

/// The command that takes a grant from a user.
struct UserRevokeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Revokes a grant of one user. Exits with 1 if the user doesn't have it.",
        discussion: "waymark user revoke ada pro"
    )

    @OptionGroup var user: UserOptions

    @Argument(help: "The name of the grant.")
    var name: String

    func run() async throws {
        try await user.withAuditedStore { id, store, names, audit in
            let grant = try GrantArgument.name(name, among: names.grants)
            let saved = try await GrantArgument.save(.remove, of: grant, to: id, in: store, names: names, audit: audit)
            guard saved.wasHeld else {
                throw CommandError.no("the user `\(id.text)` doesn't hold the grant `\(name)`.")
            }
        }
    }
}

/// The name of a grant on the command line.
enum GrantArgument {
    /// Changes a grant of a user, and writes the line of the audit log.
    static func save(
        _ change: GrantWrite.Change,
        of name: GrantName,
        to id: UserID,
        in store: any OpenStore,
        names: AccessNames,
        audit: CommandAudit
    ) async throws -> GrantWriteResult {
        let write = GrantWrite(
            id: id,
            name: name,
            formerNames: names.grants.former(of: name),
            change: change,
            time: SystemClock.now(),
            author: UserOutput.author,
            isAudited: audit.isKept
        )
        let saved = try await store.save(write)
        await audit.note(saved.isHeld ? .grant : .revokeGrant, saved.audited)
        return saved
    }

    /// Returns the name of a grant for writing, which is named by its current name or a former one.
    ///
    /// - Throws: ``CommandError`` for any other name, with the known names.
    static func name(_ text: String, among names: GrantNames) throws(CommandError) -> GrantName {
        if let name = names.writable(text) { return name }
        if names.asserted.contains(where: { $0.text.bytewise == text.bytewise }) {
            throw CommandError.usage("`\(text)` is a grant that the app asserts (`from: app`), and isn't stored.")
        }
        throw CommandError.usage(
            names.written.isEmpty
                ? "`\(text)` isn't a grant: the database knows none. Name the catalog with --catalog."
                : "`\(text)` isn't a grant; there are \(names.list)."
        )
    }
}
