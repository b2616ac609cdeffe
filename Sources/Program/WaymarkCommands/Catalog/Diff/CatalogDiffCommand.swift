import ArgumentParser
import DeepLinkCatalog
package import DeepLinkComparison
import DeepLinkCore
import DeepLinkFormats
import DeepLinkStorage
import DeepLinkWeb
import Foundation

/// The command that shows the effects of a catalog change, and the affected users.
struct CatalogDiffCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Compares two catalogs: links that break or change, and changes of access.",
        discussion: """
            For every edge of both, links are built and resolved with both catalogs, so that each finding has a link \
            as an example.

            git show main:Config/routes.yaml | waymark catalog diff - Config/routes.yaml

            --links also replays recorded links: a list with one link per line, optionally followed by its number of \
            opens, or the file of `waymark check`, or the resolution log of a server.

            --database counts the stored users that each finding affects, and the users of levels that are removed or \
            renamed, and finds the short links that break.

            Exits with 0 if all findings are below --fail-on, 1 if one isn't, 65 if a file isn't a catalog, 69 if the \
            database cannot be read.
            """
    )

    @Argument(help: "The current catalog. - is standard input.")
    var old: String

    @Argument(help: "The catalog that will replace it.")
    var new: String

    @Option(help: ArgumentHelp("A file of recorded links, with counts. - is standard input.", valueName: "file"))
    var links: String?

    @Option(
        help: ArgumentHelp("The levels of the users to compare for, such as none,signedInUser.", valueName: "levels")
    )
    var level: [WordList<LevelArgument>] = []

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("The audiences: links, apps, code, access. Default: all.", valueName: "audiences")
    )
    var audiences: [WordList<ChangeAudience>] = []

    @Option(help: "The lowest severity for which the command exits with 1: break, risk or info.")
    var failOn: Severity = .breaking

    @Option(
        help: ArgumentHelp(
            "The location of the users and short links to count: a SQLite file or a PostgreSQL URI.",
            valueName: "file or URI"
        )
    )
    var database: String?

    @Option(help: ArgumentHelp("A file of accepted changes.", valueName: "file"))
    var accept: String?

    @Flag(help: "Append the findings to the file of --accept, where you add the reasons.")
    var writeAccepted = false

    @Option(help: "The output format: text, json, junit, github or markdown.")
    var format: ComparisonFormat = .text

    /// The default file of accepted changes.
    private static let acceptedFile = "waymark-accepted.yaml"

    func run() async throws {
        let today = String(SystemClock.now().rfc3339.prefix(10))
        // Entries written a moment ago lack their reasons, and must not be read as complete.
        let accepted = try writeAccepted ? [] : accept.map { try AcceptedChangeFile.read($0) } ?? []
        let (former, latter) = (try catalog(old), try catalog(new))
        let levels = try level.flatMap(\.words).map { try name($0, in: former.levels, or: latter.levels) }
        var comparison = try CommandError.translate {
            try CatalogComparison(
                from: former,
                to: latter,
                levels: levels.isEmpty ? nil : levels,
                associations: AssociatedHost.reader
            )
        }
        if let links { try await RecordedLinkFile.replay(links, into: &comparison) }
        let (users, brokenLinks) = try await stored(from: former, to: latter)
        for broken in brokenLinks {
            comparison.addBrokenShortLinks(toRoute: broken.route, count: broken.count, target: broken.target)
        }
        let wanted = audiences.flatMap(\.words)
        let report = comparison.report(
            for: wanted.isEmpty ? ChangeAudience.allCases : wanted,
            accepting: accepted,
            today: today,
            touching: users
        )
        switch format {
        case .text: print(lines: report.lines)
        case .json: JSONOutput.print(report)
        case .junit: print(document: report.junit(failingOn: failOn))
        case .github: print(lines: report.workflowCommands)
        case .markdown: print(lines: report.markdown)
        }
        if writeAccepted {
            try AcceptedChangeFile.append(report.findings, to: accept ?? Self.acceptedFile, at: SystemClock.now())
        }
        guard report.worst.map({ $0 < failOn }) ?? true else { throw CommandError(.no, message: nil) }
    }

    /// Counts the users of the database by their levels and grants in two catalogs, and the short links that the new one
    /// breaks, or returns nothing without a database.
    ///
    /// - Throws: ``CommandError`` of code 69 if it cannot be read.
    private func stored(
        from old: RouteCatalog,
        to new: RouteCatalog
    ) async throws -> (users: StoredUsers?, broken: [ShortLinkBreak]) {
        guard let database else { return (nil, []) }
        let settings = try Settings(flags: [.database: database], configFile: nil)
        return try await Workspace(settings: settings)
            .withStore { store in
                let counts = try await store.accessCounts(at: SystemClock.now())
                let users = StoredUsers(
                    permissions: counts.permissions(from: old, to: new),
                    unknown: counts.unknown(in: new.levels),
                    former: counts.former(in: new.levels)
                )
                let links = ShortLinkScan(store, isServing: store.isServed, now: SystemClock.now)
                return (users, try await links.breaks(from: old, to: new))
            }
    }

    /// Returns the name of a level that exists in one of two ladders.
    private func name(
        _ argument: LevelArgument,
        in old: LevelLadder,
        or new: LevelLadder
    ) throws(CommandError) -> LevelName {
        if let level = new.level(named: argument.name) { return new.name(of: level) }
        return old.name(of: try argument.level(in: old))
    }

    private func catalog(_ path: String) throws -> RouteCatalog {
        try CommandError.translate {
            guard path.bytewise == "-" else { return try CatalogLoader.load(contentsOf: path) }
            return try CatalogLoader.load(try InputFile.read(path), file: InputFile.name(path))
        }
    }
}

/// The output format of a comparison.
enum ComparisonFormat: String, CaseIterable, ExpressibleByArgument {
    case text
    case json
    case junit
    case github
    case markdown
}

/// A list of words of one type, separated by commas.
struct WordList<Word: ExpressibleByArgument>: ExpressibleByArgument {
    let words: [Word]

    init?(argument: String) {
        let parts = argument.utf8.split(separator: UInt8(ascii: ",")).map { String(Substring($0)) }
        let words = parts.compactMap { Word(argument: $0) }
        guard words.count == parts.count, !words.isEmpty else { return nil }
        self.words = words
    }

    static var allValueStrings: [String] { Word.allValueStrings }
}

extension ChangeAudience: ExpressibleByArgument {}

extension Severity: ExpressibleByArgument {
    /// Reads the name of a severity on the command line.
    package init?(argument: String) { self.init(name: argument) }

    /// The names, for `--help` and for messages about invalid ones.
    package static var allValueStrings: [String] { allCases.map(\.name) }

    /// The name, for defaults in `--help`.
    package var defaultValueDescription: String { name }
}

extension AssociatedHost {
    /// Reads the rules from the files that a server would return; it alone depends on both.
    package static let reader: AssociationReader = { catalog, interruption in
        let files = AssociationFiles(catalog, interruption: interruption)
        return files.hosts.map { host in
            let terms = AssociationTerms(files, host: host)
            return AssociatedHost(host: host.bytewise, handed: terms.handed, kept: terms.kept)
        }
    }
}
