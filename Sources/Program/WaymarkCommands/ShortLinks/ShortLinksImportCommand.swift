import ArgumentParser
import DeepLinkCore
import DeepLinkFormats
import DeepLinkStorage

/// The command that makes short links from another service's export.
struct ShortLinksImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Makes short links from another service's export. The codes stay, and the links become destinations.",
        discussion: """
            waymark short-links import --format firebase links.csv --rewrite-host shop.page.link=shop.example
            waymark short-links import --format csv links.csv --otherwise https://shop.example/
            waymark short-links import --format waymark short-links.ndjson

            firebase is the CSV file of Google Takeout for Firebase Dynamic Links, of which the columns `short_link` \
            and `link` are read. csv has the columns `code` and `link`, and optionally `label`. A code may be the \
            whole short link. Branch, Bitly and others export tables with such columns. waymark is the file that \
            `short-links export` writes.

            Each row is made, exists already, or is refused. Refused rows are listed in groups, with the nearest \
            routes. A link that cannot be resolved is refused, or gets the destination of --otherwise. An existing \
            code with another destination is never changed. Run the command again after an interruption or a change of \
            the catalog: existing links stay as they are.

            Exits with 0, with 1 if a row is refused, with 65 if the file isn't of the format.
            """
    )

    enum FileFormat: String, CaseIterable, ExpressibleByArgument {
        case firebase
        case csv
        case waymark
    }

    @Option(name: .customLong("format"), help: "The format of the file: firebase, csv or waymark.")
    var fileFormat: FileFormat

    @Argument(help: "The file. Default, or with -: standard input.")
    var file: String = "-"

    @Option(
        name: .customLong("rewrite-host"),
        help: ArgumentHelp(
            "A host of links and its replacement in the catalog, each with an optional scheme. May be repeated.",
            valueName: "old=new"
        )
    )
    var rewritings: [HostRewriting] = []

    @Option(help: ArgumentHelp("The destination of links that cannot be resolved.", valueName: "link"))
    var otherwise: String?

    @Option(help: ArgumentHelp("The label of all links without one.", valueName: "label"))
    var label: String?

    @Flag(name: .customLong("json"), help: "Print the outcome as JSON.")
    var isJSON = false

    @OptionGroup var new: NewDatabaseOption

    @OptionGroup var shared: SharedOptions

    func validate() throws {
        guard fileFormat != .waymark || rewritings.isEmpty && otherwise == nil && label == nil else {
            throw ValidationError(
                "An export of this program is taken as it is, without --rewrite-host, --otherwise and --label."
            )
        }
    }

    func run() async throws {
        let workspace = try shared.workspace()
        let audit = try workspace.audit()
        var source = try source(workspace)
        var progress = ProgressBar(total: source.pieces.byteCount)
        let report = try await workspace.withStore(named: true, creating: new.create) { store in
            // A file has one writer at a time. In PostgreSQL others write meanwhile.
            let isFile = if case .file = workspace.settings.database { true } else { false }
            let size = isFile ? BatchLimits.importSize : BatchLimits.atomicSize
            var writer = ImportWriter(store, audit: audit, largestSlice: size, isServed: { store.isServed })
            try await writer.write {
                try source.next($0)
            } progress: {
                progress.update(min(source.pieces.readByteCount, source.pieces.byteCount))
            }
            return writer.report
        }
        progress.finish()
        guard report.rowCount > 0 else {
            throw CommandError.badData("\(InputFile.name(file)) has no short link.")
        }
        (isJSON ? OutputFormat.json : .text).print(report, lines: report.lines)
        guard report.refusedCount == 0 else { throw CommandError(.no, message: nil) }
    }

    private func source(_ workspace: Workspace) throws -> ImportSource {
        let pieces = try InputPieces(file)
        guard fileFormat != .waymark else { return .lines(RecordLines(pieces)) }
        let destinations = try workspace.shortLinkDestinations()
        let links = ImportedLinks(
            destinations: destinations,
            rewritings: rewritings,
            otherwise: try otherwise.map { try destination($0, destinations) },
            label: try label.map(ShortLinkArgument.newLabel)
        )
        let table = try CSVTable(pieces)
        let columns = fileFormat == .firebase ? try ImportColumns(firebase: table) : try ImportColumns(plain: table)
        return .table(table, columns, links)
    }

    private func destination(
        _ text: String,
        _ destinations: ShortLinkDestinations
    ) throws(CommandError) -> ShortLinkDestination {
        do throws(ShortLinkFault) {
            return try destinations.destination(of: text)
        } catch {
            throw CommandError.usage("--otherwise: \(error.message)")
        }
    }
}
