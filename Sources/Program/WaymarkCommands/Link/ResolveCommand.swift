import ArgumentParser
import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import DeepLinkStorage

/// The command that resolves a link without a server.
package struct ResolveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resolve",
        abstract: "Resolves one link, for a user, or for a level and grants.",
        discussion: """
            waymark resolve 'navigation://loremipsum.com/characters/character/1' --level signedInUser
            waymark resolve 'character/2?sheet=x' --mode append --from 'navigation:/characters' --level premiumUser
            waymark resolve 'navigation:/charcters' --explain

            Exits with 0 if the link resolves, 1 if it is gated or fails, 65 if it isn't a link.
            """
    )

    @Argument(help: "The link, in quotes since shells interpret `?` and `&`.")
    var link: String

    @Option(help: "The user with the stored level and grants to use.")
    var user: String?

    @Option(help: ArgumentHelp("The level to resolve with.", valueName: "level"))
    var level: LevelArgument?

    @Option(help: ArgumentHelp("The grants in addition to --level, separated by commas.", valueName: "name,…"))
    var grants: String?

    @Option(help: ArgumentHelp("The levels and grants that the app asserts, separated by commas.", valueName: "name,…"))
    var holds: String?

    @Option(help: "The start of the link: replace (at `entry`) or append (at the top of --from).")
    var mode: ResolutionRequest.Mode = .replace

    @Option(help: "The current stack of the app: a link, or a stack as a JSON array.")
    var from: String?

    @Option(
        help: ArgumentHelp("The requesting app, such as ios/3.1.0 or driver.ios/3.1.0.", valueName: "platform/version")
    )
    var app: AppVersion?

    @Flag(help: "Accept the part of the path that matches.")
    var partial = false

    @Flag(help: "Show which candidates were tried, and why they failed.")
    var explain = false

    @Option(help: .format) var format: OutputFormat = .text

    @Option(.signingKeys) var signingKeys: String?

    @OptionGroup var shared: SharedOptions

    func validate() throws {
        guard user == nil || level == nil else { throw ValidationError("Give --user or --level, not both.") }
        guard grants == nil || level != nil else { throw ValidationError("--grants needs --level.") }
    }

    func run() async throws {
        let workspace = try shared.workspace(overriding: [.signingKeys: signingKeys])
        let catalog = try workspace.catalog()
        let own = try await permissions(workspace, in: catalog)
        let assertions = catalog.assertions(holds.map(NameList.items) ?? [])
        try catalog.check(app)
        let request = try await followed(try request(catalog.rootlessSchemes), workspace, in: catalog)
        let decision = decide(
            request,
            permissions: own.joined(with: assertions),
            catalog: catalog,
            keys: try workspace.signingKeys(for: catalog),
            at: SystemClock.now(),
            explains: explain
        )
        if format == .text, let steps = decision.explanation {
            print(lines: ExplanationText(link: request.link, steps: steps, catalog: catalog).lines)
        }
        do throws(Problem) {
            let plan = try decision.plan()
            guard format == .json else { return show(plan, in: catalog) }
            let levelSource: LevelSource? = assertions.level > own.level ? .app : nil
            JSONOutput.print(PlanBody(plan, levelSource: levelSource, explanation: decision.explanation))
        } catch {
            throw refusal(error, steps: decision.explanation, code: .no, advice: decision.advice)
        }
    }

    private func request(_ rootless: RootlessSchemes) throws -> ResolutionRequest {
        let current = try from.map { try currentStack($0, rootless: rootless) }
        do throws(LinkSyntaxError) {
            return try ResolutionRequest(
                link: Array(link.utf8),
                mode: mode,
                current: current,
                acceptsPart: partial,
                app: app,
                rootless: rootless
            )
        } catch {
            throw refusal(Problem(error, in: Array(link.utf8)), steps: nil, code: .badData)
        }
    }

    /// Returns the request with the target of a short link, which is read from the database.
    private func followed(
        _ request: ResolutionRequest,
        _ workspace: Workspace,
        in catalog: RouteCatalog
    ) async throws -> ResolutionRequest {
        guard catalog.shortLinkPlace(in: request.link) != nil else { return request }
        do {
            let target = try await workspace.withStore { store in
                try await FollowedCode.followed(request.link, in: catalog, store: store)?.target
            }
            return target.map { request.leading(to: $0) } ?? request
        } catch let problem as Problem {
            throw refusal(problem, steps: nil, code: .no)
        }
    }

    private func currentStack(_ text: String, rootless: RootlessSchemes) throws -> CurrentStack {
        if text.utf8.first == UInt8(ascii: "[") {
            return .stack(try StackArgument.read(Array(text.utf8), named: "--from"))
        }
        do throws(LinkSyntaxError) {
            return .link(try DeepLink(text, rootless: rootless))
        } catch {
            throw CommandError.badData("--from: \(error.message)")
        }
    }

    private func permissions(_ workspace: Workspace, in catalog: RouteCatalog) async throws -> Permissions {
        guard let user else { return try catalog.permissions(level: level, grants: grants) }
        let id = try UserArgument.id(user)
        return try await workspace.withStore { store in
            try await store.state(of: id)?.access.permissions(at: SystemClock.now(), in: catalog) ?? .none
        }
    }

    private func show(_ plan: RoutePlan, in catalog: RouteCatalog) {
        let levels = catalog.levels
        print("link      \(plan.canonicalLink ?? plan.link.text)")
        print("level     \(levels.text(of: plan.requiredLevel)) required, \(levels.text(of: plan.userLevel)) given")
        let names = catalog.grants.texts(of: plan.requiredGrants)
        if !names.isEmpty { print("grants    \(names.joined(separator: ", ")) required") }
        print(lines: TextTable(stack: plan.stack).lines(named: "stack", width: 10))
        if let app = plan.appName { print("app       \(app)") }
        for (key, number) in plan.requiredVersions { print("app       from \(key)/\(number.text) on") }
        if let fragment = plan.unusedFragment { print("unused    #\(fragment)") }
        for item in plan.unusedQuery { print("unused    \(item.name)\(item.value.map { "=" + $0 } ?? "")") }
        if !plan.unresolved.isEmpty { print("not found \(plan.unresolved.joined(separator: "/"))") }
        if let transition = plan.transition {
            print(
                "change    keep \(transition.keep), dismiss \(transition.dismiss), present \(transition.present.count)"
                    + (transition.unknownFrom.map { ", unknown from \($0)" } ?? "")
            )
        }
    }

    private func refusal(
        _ problem: Problem,
        steps: [ExplanationStep]?,
        code: CommandError.Code,
        advice: String = ""
    ) -> CommandError {
        if format == .json {
            JSONOutput.print(steps.map { problem.adding(.init("explanation", steps: $0)) } ?? problem)
        }
        return CommandError(code, message: format == .json ? nil : problem.detail + advice)
    }
}

/// The candidates that the engine tried, with a caret below the position of each failure in the link.
struct ExplanationText {
    let link: DeepLink
    let steps: [ExplanationStep]
    let catalog: RouteCatalog

    /// The steps in order, each on one line.
    ///
    /// A step that failed at a position in the link has two more. A route of an included file has its location.
    var lines: [String] {
        let places = catalog.includedFiles.isEmpty ? [:] : placesOfRoutes
        let rows = steps.map { step in
            let pattern = step.pattern.map { $0.isEmpty ? "" : "/" + $0 } ?? ""
            let place = step.route.flatMap { places[$0.bytewise] }.map { " (\($0))" } ?? ""
            return [step.outcome.rawValue, step.route ?? "", pattern, step.reason + place]
        }
        return zip(TextTable(rows).lines, steps)
            .flatMap { line, step in
                guard step.outcome == .rejected, let offset = step.offset else { return [line] }
                return [line, "    " + link.text, "    " + caret(at: offset)]
            }
    }

    /// The file and line of each route that an included file declares.
    private var placesOfRoutes: [ByteText: String] {
        catalog.routes.reduce(into: [:]) { places, route in
            let file = catalog.includedFiles.name(at: route.location)
            places[route.name.bytewise] = file.map { "\($0):\(route.location.line)" }
        }
    }

    /// Underlines a byte and the rest of the segment or value that begins there.
    private func caret(at offset: Int) -> String {
        let place = min(offset, link.bytes.count)
        let rest = link.bytes[place...].prefix { !"/?#&".utf8.contains($0) }
        let column = String(decoding: link.bytes[..<place], as: UTF8.self).count
        let width = String(decoding: rest, as: UTF8.self).count
        return String(repeating: " ", count: column) + "^" + String(repeating: "~", count: max(0, width - 1))
    }
}
