import ArgumentParser
import DeepLinkCore
import DeepLinkFormats
import DeepLinkStorage

/// The command that makes one short link.
struct ShortLinksMakeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "make",
        abstract: "Makes a short link to the destination of a link, and prints it.",
        discussion: """
            waymark short-links make https://shop.example/offer/42
            waymark short-links make https://shop.example/offer/42 --code spring --label newsletter

            The destination is stored, with its routes and their values. The code survives when the catalog moves a \
            route to another path, and is `broken` when no link opens the destination any more. Without --code, the \
            code is random. Making a code again with the same destination changes nothing. Another destination needs \
            --replace.

            Exits with 0, with 1 if the link cannot be resolved or the code is taken, with 65 if it isn't a link.
            """
    )

    @Argument(help: "The link to the destination, or another short link, in quotes since shells interpret `?` and `&`.")
    var link: String

    @Option(help: "The code. Default: a random one.")
    var code: String?

    @Option(help: "The host of the printed short link. Default: the first of the catalog.")
    var host: String?

    @Option(help: "The label for listing and counting links, such as the campaign.")
    var label: String?

    @Option(help: "When the link expires, such as 2027-01-01T00:00:00Z. Default: when its route says, or never.")
    var expires: String?

    @Option(help: ArgumentHelp("The user that the link is about. It is erased with the user.", valueName: "user"))
    var about: String?

    @Flag(help: "Replace the destination of an existing code, even a withdrawn one.")
    var replace = false

    @Option(help: .format) var format: OutputFormat = .text

    @Option(.signingKeys) var signingKeys: String?

    @OptionGroup var new: NewDatabaseOption

    @OptionGroup var shared: SharedOptions

    func validate() throws {
        guard !replace || code != nil else { throw ValidationError("--replace is about a --code.") }
    }

    func run() async throws {
        let workspace = try shared.workspace(overriding: [.signingKeys: signingKeys])
        let audit = try workspace.audit()
        let destinations = try workspace.shortLinkDestinations()
        let catalog = destinations.catalog
        let code = try code.map { text throws(CommandError) in try ShortLinkArgument.newCode(text) }
        let host = try host.map { text throws(CommandError) in try ShortLinkArgument.host(text, in: catalog) }
        let label = try label.map(ShortLinkArgument.newLabel)
        let end = try expires.map(UserArgument.timestamp)
        let user = try about.map(UserArgument.id)
        try await workspace.withStore(named: true, creating: new.create) { store in
            let destination = try await destination(destinations, store: store)
            let write: ShortLinkWrite
            do throws(Problem) {
                let now = SystemClock.now()
                write = ShortLinkWrite(
                    code: try destination.code(code),
                    contents: ShortLinkContents(
                        host: host,
                        target: destination.target,
                        label: label,
                        expires: try destination.end(end, at: now),
                        about: user,
                        signature: destination.signature
                    ),
                    withdrawal: replace ? .restored : .unspecified,
                    precondition: replace ? .none : .absent,
                    time: now,
                    author: UserOutput.author,
                    isAudited: audit.isKept
                )
            } catch {
                throw CommandError.usage(error.detail)
            }
            let link = try await save(write, in: store, audit: audit)
            ShortLinkOutput.print([link], format: format, catalog: catalog)
        }
    }

    /// Finds the destination of the link.
    ///
    /// A short link is replaced by its own destination in the catalog.
    private func destination(
        _ destinations: ShortLinkDestinations,
        store: any ShortLinkStore
    ) async throws -> ShortLinkDestination {
        do {
            let parsed = try destinations.parse(link)
            let followed = try await FollowedCode.followed(parsed, in: destinations.catalog, store: store)
            return try destinations.destination(of: link, target: followed?.target, from: followed?.contents)
        } catch let fault as ShortLinkFault {
            let isMalformed = if case .syntax = fault { true } else { false }
            throw CommandError(isMalformed ? .badData : .no, message: fault.message)
        } catch let problem as Problem {
            throw CommandError.no(problem.detail)
        }
    }

    /// Makes a link, or finds the existing one with the same contents.
    private func save(
        _ write: ShortLinkWrite,
        in store: any ShortLinkStore,
        audit: CommandAudit
    ) async throws -> ShortLink {
        do {
            let saved = try await store.save(write)
            await audit.note([saved])
            return saved.link
        } catch let error as ShortLinkWriteError {
            guard case .given(let code, _) = write.code else { throw refusal(error) }
            if let stored = try await store.storedLink(for: code), stored.code == code,
                stored.contents == write.contents
            {
                return stored
            }
            throw refusal(error)
        }
    }

    private func refusal(_ error: ShortLinkWriteError) -> CommandError {
        let message =
            switch error {
            case .versionMismatch: "the code has another destination or other terms; --replace gives it these."
            case .codeTaken(let link?) where link.contents.isWithdrawn:
                "the code is that of a link that was withdrawn; --replace makes it work again."
            case .codeTaken(let link?): "the code is that of `\(link.code.text)`; choose another."
            case .codeTaken(nil): "the code is that of a link that was erased; choose another."
            case .tooManyLabels: "\(ShortLinkLabel.maximumCount) labels are in use already; take one of them."
            case .nameTaken, .tooManyLinks, .answered: "the store refused the link."
            }
        return CommandError.no(message)
    }
}
