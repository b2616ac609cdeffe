import ArgumentParser
import DeepLinkCore
import DeepLinkFormats
import DeepLinkReporting
import DeepLinkSQLite
import DeepLinkStorage
import Foundation

/// The command that restores a backup in the database's place.
package struct RestoreCommand: AsyncParsableCommand {
    /// The treatment of the tokens in a backup.
    enum Tokens: String, CaseIterable, ExpressibleByArgument {
        /// The tokens stay as they were at the time of the backup.
        case keep

        /// All tokens are revoked.
        case revoke
    }

    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Replaces the database with a backup while no server runs.",
        discussion: """
            waymark restore /backups/waymark-2026-11-22.sqlite --tokens revoke

            The backup is checked row by row, and isn't changed. The former database, if any, is kept next to the new \
            one, with the time in its name. If root restores it, it belongs to the owner of the former one, or of the \
            folder.

            A backup lacks later changes. Tokens revoked since then are valid again: on a terminal the command asks \
            what to do with them, otherwise --tokens decides. Users erased since then are back: erase them again.
            """
    )

    @Argument(help: "The backup.")
    var file: String

    @Option(help: "The treatment of the backup's valid tokens: keep them as they were, or revoke them all.")
    var tokens: Tokens?

    @OptionGroup var shared: SharedOptions

    func run() async throws {
        let settings = try shared.settings()
        _ = try settings.database.path(
            or: "PostgreSQL's own tools restore it: `pg_restore`, or a base backup with its log."
        )
        let path = settings.database.name
        let audit = try CommandAudit(settings)
        let now = SystemClock.now()
        let restoration = try CommandError.translate { try DatabaseRestoration(of: file, to: path) }
        defer { restoration.removeDraft() }
        let choice = try choice(restoration, at: now)
        do {
            if choice == .revoke { try await restoration.revokeTokens(at: now) }
        } catch {
            throw CommandError.translated(error)
        }
        let former = try CommandError.translate { try restoration.finish(at: now) }
        let valid = choice == .revoke ? 0 : restoration.validTokens(at: now).count
        await audit.note(
            .restoreDatabase,
            of: .database,
            after: .facts([
                ("backup", .string(file)), ("users", .integer(Int64(restoration.userCount))),
                ("tokens", .integer(Int64(restoration.tokens.count))), ("validTokens", .integer(Int64(valid))),
            ])
        )
        print(
            "database \(path): \(restoration.userCount.counted("user")), "
                + "\(restoration.tokens.count.counted("token")), \(valid) of them valid"
        )
        guard let former else { return }
        print("former database \(former)")
        if !FileOwner.isSame(path, former), let standing = FileOwner.description(ofFileAt: path) {
            StandardError.print(
                "waymark: warning: \(path) has another owner than the former database: \(standing). A service of the former "
                    + "owner cannot open it until root runs `chown --reference=\(former) \(path)`."
            )
        }
    }

    /// Returns the treatment of the backup's tokens.
    private func choice(_ restoration: DatabaseRestoration, at now: Timestamp) throws -> Tokens {
        let valid = restoration.validTokens(at: now)
        guard !valid.isEmpty else { return .keep }
        if let tokens { return tokens }
        let back = restoration.revokedSince(at: now)
        let count = valid.count == 1 ? "1 token is" : "\(valid.count) tokens are"
        let names = back.map(\.id.text).joined(separator: ", ")
        let warning =
            "\(count) valid in the backup; "
            + (restoration.knowsFormerTokens
                ? back.isEmpty ? "none was revoked since." : "revoked since, and valid again: \(names)."
                : "it is unknown which of them were revoked since.")
        guard isatty(STDIN_FILENO) == 1 else {
            throw CommandError.usage(
                warning + " Choose their treatment: --tokens keep, or --tokens revoke. Nothing is restored."
            )
        }
        StandardError.print("waymark: \(warning)\nKeep them as in the backup, or revoke all? [keep/revoke]")
        guard let answer = readLine(), let choice = Tokens(bytewise: answer) else {
            throw CommandError.usage("the answer is neither keep nor revoke. Nothing is restored.")
        }
        return choice
    }
}
