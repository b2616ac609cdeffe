import ArgumentParser
import DeepLinkCore
import DeepLinkFormats
import DeepLinkUsers

/// The command that counts users by the outcome of a link.
struct AudienceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audience",
        abstract: "Counts the stored users by the outcome of a link, before it is sent to them.",
        discussion: """
            waymark audience 'navigation://loremipsum.com/settings/profile'

            Exits with 0, with 1 if the link leads nowhere, with 65 if it isn't a link.
            """
    )

    @Argument(help: "The link; quote it, since shells read `?` and `&`.")
    var link: String

    @Option(help: "The output format: text or json.")
    var format: OutputFormat = .text

    @OptionGroup var shared: SharedOptions

    func run() async throws {
        let workspace = Workspace(settings: try shared.settings())
        let catalog = try workspace.catalog()
        let body = try await body(try audience(in: catalog), workspace: workspace)
        switch format {
        case .json: JSONOutput.print(body)
        case .text:
            var table = TextTable()
            table.append(["users", "\(body.userCount)", ""])
            table.append(["reached", "\(body.reachedCount)", share(body.reachedCount, of: body.userCount)])
            for (gate, count) in body.gated {
                table.append(["gated at \(gate)", "\(count)", share(count, of: body.userCount)])
            }
            for line in table.lines { print(line) }
        }
    }

    private func audience(in catalog: RouteCatalog) throws(CommandError) -> (DeepLink, LinkAudience) {
        let parsed: DeepLink
        do throws(LinkSyntaxError) {
            parsed = try DeepLink(link)
        } catch {
            throw CommandError(.badData, message: error.message)
        }
        do throws(ResolutionError) {
            return (parsed, try LinkAudience(of: ResolutionRequest(link: parsed), catalog: catalog))
        } catch {
            throw CommandError(.no, message: error.message)
        }
    }

    private func body(_ audience: (DeepLink, LinkAudience), workspace: Workspace) async throws -> AudienceBody {
        try await workspace.withStore { store in
            AudienceBody(audience.0, audience: audience.1, users: try await store.accessCounts(at: Clock.now()))
        }
    }

    private func share(_ count: Int, of total: Int) -> String {
        total == 0 ? "" : "\(Int((Double(count) * 100 / Double(total)).rounded())) %"
    }
}
