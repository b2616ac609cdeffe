import ArgumentParser
import DeepLinkCore
import DeepLinkHTTP
import DeepLinkStore

/// Answers one link without a server.
struct ResolveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resolve",
        abstract: "Resolves one link, for a user or a level.",
        discussion: """
            waymark resolve 'navigation://loremipsum.com/characters/character/1' --level signedInUser

            Exits with 0 where the user may go, 1 where the link is refused or leads nowhere, 65 where it is no link.
            """
    )

    @Argument(help: "The link; quote it, since shells read `?` and `&`.")
    var link: String

    @Option(help: "The user whose level counts; read from the database.")
    var user: String?

    @Option(help: ArgumentHelp("The level that counts.", valueName: "level"))
    var level: AuthorizationLevel?

    @Option(help: "How to print the answer: text or json.")
    var format: OutputFormat = .text

    @OptionGroup var shared: SharedOptions

    func validate() throws {
        guard user == nil || level == nil else { throw ValidationError("Give --user or --level, not both.") }
    }

    func run() async throws {
        let workspace = Workspace(settings: try await shared.settings())
        let catalog = try workspace.catalog()
        let level = try await userLevel(workspace)
        let request: ResolutionRequest
        do throws(LinkSyntaxError) {
            request = ResolutionRequest(link: try DeepLink(link))
        } catch {
            throw refusal(Problem(error), .badData)
        }
        switch DeepLinkCore.resolve(request, userLevel: level, catalog: catalog) {
        case .plan(let plan): show(plan, catalog)
        case .denial(let denial):
            let gate = denial.gate.map { " The way there is \($0.link), which gives \($0.level.name)." }
            throw refusal(Problem(denial), .no, gate ?? "")
        case .failure(let failure): throw refusal(Problem(failure), .no)
        }
    }

    private func userLevel(_ workspace: Workspace) async throws -> AuthorizationLevel {
        guard let user else { return level ?? .none }
        let id = try UserArgument.id(user)
        return try await workspace.withExistingStore { store in
            try store.state(of: id)?.level(at: Clock.now()) ?? .none
        }
    }

    private func show(_ plan: RoutePlan, _ catalog: RouteCatalog) {
        guard format == .text else { return JSONOutput.print(PlanBody(plan, catalogVersion: catalog.version)) }
        print("link      \(plan.canonicalLink ?? plan.link.text)")
        print("level     \(plan.requiredLevel.name) required, \(plan.userLevel.name) given")
        var table = TextTable()
        for destination in plan.stack {
            let parameters = destination.parameters.map { "\($0.name)=\($0.value.text)" }.joined(separator: " ")
            table.append([destination.route, destination.presentation.name, parameters])
        }
        for (index, line) in table.lines.enumerated() { print((index == 0 ? "stack     " : "          ") + line) }
        for item in plan.unusedQuery { print("unused    \(item.name)\(item.value.map { "=" + $0 } ?? "")") }
    }

    private func refusal(_ problem: Problem, _ code: CommandFailure.Code, _ advice: String = "") -> CommandFailure {
        if format == .json { JSONOutput.print(problem) }
        return CommandFailure(code, format == .json ? nil : problem.detail + advice)
    }
}
