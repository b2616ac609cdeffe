import ArgumentParser
import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import DeepLinkStorage

/// The command that counts users by the outcome of a link.
package struct AudienceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audience",
        abstract: "Counts users by the outcome of a link before you send it.",
        discussion: """
            waymark audience 'navigation://loremipsum.com/settings/profile'
            waymark audience 'navigation://loremipsum.com/settings/profile' --users campaign.csv
            waymark audience --users campaign.csv

            Without --users, all stored users are counted. A list is CSV with a header (`user`, and `link` if each \
            user has one), NDJSON with the same members, or has one id per line. Users without a stored state have the \
            lowest level.

            Exits with 0, with 1 if the link or a link of the list cannot be resolved, with 65 if it isn't a link or \
            the list is malformed. `waymark check` lists the links that cannot be resolved.
            """
    )

    @Argument(help: "The link, in quotes for `?` and `&` in shells. With --users, the link of users without one.")
    var link: String?

    @Option(help: ArgumentHelp("The file of users to count. - is standard input.", valueName: "file"))
    var users: String?

    @Option(help: .format) var format: OutputFormat = .text

    @OptionGroup var shared: SharedOptions

    func validate() throws {
        guard link != nil || users != nil else { throw ValidationError("Name a link, or a list with --users.") }
    }

    func run() async throws {
        let workspace = try shared.workspace()
        let catalog = try workspace.catalog()
        let question = try link.map { try audience(of: $0, in: catalog) }
        if let users {
            try await countUsers(of: users, workspace: workspace, question: question, catalog: catalog)
        } else if let question {
            try await countAll(question, workspace: workspace)
        }
    }

    private func countAll(_ question: (DeepLink, LinkAudience), workspace: Workspace) async throws {
        let body = try await workspace.withStore { store in
            AudienceBody(question.0, audience: question.1, users: try await store.accessCounts(at: SystemClock.now()))
        }
        format.print(body, lines: lines(body.userCount, reached: body.reachedCount, gated: body.gated))
    }

    private func countUsers(
        of file: String,
        workspace: Workspace,
        question: (DeepLink, LinkAudience)?,
        catalog: RouteCatalog
    ) async throws {
        let members = try AudienceList.read(file)
        if question == nil, let member = members.first(where: { $0.link == nil }) {
            throw CommandError.badData(
                "\(InputFile.name(file)):\(member.line) has no `link`; name the link of all before --users."
            )
        }
        var tally = AudienceCounts(question.map { ($0.0.text, $0.1) }, catalog: catalog)
        var progress = ProgressBar(total: members.count)
        try await workspace.withStore { store in
            for member in members {
                let access = try await store.access(of: member.user)
                tally.note(access?.permissions(at: SystemClock.now(), in: catalog) ?? .none, link: member.link)
                progress.update(tally.userCount)
            }
        }
        progress.finish()
        let (count, reached, failed) = (tally.userCount, tally.reachedCount, tally.failedCount)
        format.print(tally, lines: lines(count, reached: reached, gated: tally.gated, failed: failed))
        guard failed == 0 else { throw CommandError(.no, message: nil) }
    }

    private func lines(_ users: Int, reached: Int, gated: [(gate: String, count: Int)], failed: Int = 0) -> [String] {
        func row(_ name: String, _ count: Int) -> [String] {
            let share = users == 0 ? "" : "\(Int((Double(count) * 100 / Double(users)).rounded())) %"
            return [name, "\(count)", share]
        }
        let rows =
            [["users", "\(users)", ""], row("reached", reached)] + gated.map { row("gated at \($0.gate)", $0.count) }
            + (failed > 0 ? [row("leads nowhere", failed)] : [])
        return TextTable(rows).lines
    }

    private func audience(of link: String, in catalog: RouteCatalog) throws(CommandError) -> (DeepLink, LinkAudience) {
        let parsed: DeepLink
        do throws(LinkSyntaxError) {
            parsed = try DeepLink(link, rootless: catalog.rootlessSchemes)
        } catch {
            throw CommandError.badData(error.message)
        }
        do throws(ResolutionError) {
            return (parsed, try LinkAudience(of: ResolutionRequest(link: parsed), catalog: catalog))
        } catch {
            throw CommandError.no(error.message + (error.hint.map { " " + $0 } ?? ""))
        }
    }
}
