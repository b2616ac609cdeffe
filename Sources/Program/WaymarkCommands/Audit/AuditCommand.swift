import ArgumentParser
import DeepLinkCore
import DeepLinkFormats
import DeepLinkReporting
import DeepLinkStorage

/// The command that reads the audit log.
package struct AuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract:
            "Shows the changes of users, tokens, short links and the catalog, with author, origin, and states before and after.",
        discussion: """
            Everything of the last week:           waymark audit --since 7d
            Which levels has a token changed?      waymark audit --by qd3fwf78ryx2
            Who has changed a user, and when?      waymark audit --user ada
            By commands on the machine, in a day:  waymark audit --by 'command line' --since 2026-11-22 --until 2026-11-22
            Of several replicas, in one list:      waymark audit one.log two.log three.log
            Of a service that logs to the journal: journalctl -u waymark -o cat | waymark audit -
            Compressed by a program:               zcat audit.log.2.gz | waymark audit -

            Without files it reads the file of the setting audit.path, after its rotated files, which end in .1, .2 \
            and so on, the oldest first. Lines of several files are sorted by time.

            In place of a user's id, the log has a name that the database maps to the id until the user is erased. So \
            --user needs the database, and the text shows the ids that it knows. `--format json` prints the lines \
            unchanged, for `jq`, with the id as an additional member `id`. Lines that aren't part of an audit log are \
            skipped.
            """
    )

    @Option(
        help: ArgumentHelp(
            """
            Only changes by this author: a token, its id or its note, a person's name, a system user, a user's id, or \
            a kind (token, user, person, 'command line', service, anyone). Exits with 1 if none are found.
            """,
            valueName: "author"
        )
    )
    var by: String?

    @Option(
        help: ArgumentHelp(
            "Only changes since then: a time, a day (UTC), or a duration before now, such as 2026-11-22 or 12h.",
            valueName: "time"
        )
    )
    var since: String?

    @Option(help: ArgumentHelp("Only changes up to and including that time or day.", valueName: "time"))
    var until: String?

    @Option(help: ArgumentHelp("Only changes of this user. Exits with 1 if none are found.", valueName: "id"))
    var user: String?

    @Option(help: .format) var format: OutputFormat = .text

    @Argument(help: "The files, the oldest first. - is standard input.")
    var files: [String] = []

    @OptionGroup var shared: SharedOptions

    func run() async throws {
        let now = SystemClock.now()
        let settings = try shared.settings()
        let paths = try files.isEmpty ? AuditFiles.ofSetting(settings.audit) : files
        let workspace = Workspace(settings: settings)
        var filter = AuditFilter()
        filter.since = try since.map { text throws(CommandError) in try AuditTimeBound.start(text, at: now) }
        filter.until = try until.map { text throws(CommandError) in try AuditTimeBound.end(text, at: now) }
        if let by { filter.take(author: by) }
        let count: Int
        if let id = try user.map(UserArgument.storedID) {
            count = try await workspace.withStore { store in
                guard let name = try await store.auditName(of: id) else { return 0 }
                filter.user = name.text
                try await filter.nameAuthor(in: store)
                return try await show(paths, filter: filter, names: store)
            }
        } else {
            count = try await show(paths, filter: filter, in: workspace)
        }
        guard count == 0, user != nil || by != nil else { return }
        throw CommandError.no(
            user.map { user in
                "no change of the user `\(user)` was found: there was none, the user was erased, or the files that have it weren't read."
            }
                ?? "no change by `\(by ?? "")` was found. `waymark token list` shows the ids and the notes of tokens."
        )
    }

    /// Shows lines with the ids of users.
    ///
    /// Without a database they have only names, since a log is also read after failures.
    private func show(_ paths: [String], filter: AuditFilter, in workspace: Workspace) async throws -> Int {
        var isOpen = false
        do {
            return try await workspace.withStore { store in
                isOpen = true
                var filter = filter
                try await filter.nameAuthor(in: store)
                return try await show(paths, filter: filter, names: store)
            }
        } catch let error as CommandError where !isOpen {
            StandardError.print("waymark: warning: users are shown with their names in the log: \(error.message ?? "")")
            return try await show(paths, filter: filter, names: nil)
        }
    }

    /// Shows the lines that meet the conditions.
    ///
    /// - Returns: The number of lines.
    private func show(_ paths: [String], filter: AuditFilter, names: (any AuditNameStore)?) async throws -> Int {
        var output = AuditOutput(format: format, names: names)
        var lines = try AuditLines(paths)
        while let record = try lines.next() {
            if filter.matches(record) { try await output.add(record) }
        }
        try await output.finish()
        for warning in lines.warnings { StandardError.print("waymark: warning: \(warning)") }
        // Programs miss the member `id`. People see names, and may have erased the users.
        if format == .json, names != nil, output.knowsNobody {
            StandardError.print("waymark: warning: the database knows none of these users. Does it belong to the log?")
        }
        return output.count
    }
}
