import ArgumentParser
import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import DeepLinkStorage

/// The command that checks the links of a file, for continuous integration.
package struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Checks that every link of a file has its expected outcome.",
        discussion: """
            A file is a YAML list, or has a JSON object on each line (NDJSON). A case has a `link`, and may have \
            `level` or `user` (default: --level), `grants` with a level (default: --grants), the names that the app \
            asserts as `holds` (default: all with `from: app`), `app` such as ios/3.1.0 or driver.ios/3.1.0 \
            (default: --app), `mode` and \
            `from`. The expected outcome is `stack` (routes, or destinations), `problem` (a code, or members) or \
            `gate` (the level or grant that it gives, its link, or members). Only the given members are compared. \
            Without any, the link must resolve.

            - { link: "navigation:/episodes/episode/7", level: signedInUser, stack: [tabBar, episodes, episode] }
            - { link: "navigation:/settings", problem: insufficient-authorization-level, gate: onboardingCompleted }

            A plain list with one link per line works too, in which each link must resolve. # begins a comment. A CSV \
            file with a header has the links in its column `link`, and may have `user` or `level`. Other columns are \
            ignored.

            A link is marked `warn` if it has a placeholder ({{name}}, ${name}, [name]), a value that was missing in a \
            program (undefined, null), or a raw space.

            Exits with 0 if every link passes, 1 if one fails, 65 if a file is malformed.
            """
    )

    @Argument(help: "The file of links. - is standard input.")
    var file: String

    @Option(help: ArgumentHelp("The level of links without one. Default: none.", valueName: "level"))
    var level: LevelArgument?

    @Option(help: ArgumentHelp("The grants in addition to --level, separated by commas.", valueName: "name,…"))
    var grants: String?

    @Option(help: ArgumentHelp("The requesting app of links without one.", valueName: "platform/version"))
    var app: AppVersion?

    @Flag(help: "List the routes that no link covers.")
    var coverage = false

    @Option(help: "The output format: text, json or junit.")
    var format: ReportFormat = .text

    @Option(.signingKeys) var signingKeys: String?

    @OptionGroup var shared: SharedOptions

    func run() async throws {
        let workspace = try shared.workspace(overriding: [.signingKeys: signingKeys])
        let catalog = try workspace.catalog()
        try catalog.check(app)
        let name = InputFile.name(file)
        let cases = try LinkCaseFile.read(try InputFile.read(file), named: name, catalog: catalog)
        let permissions = try await permissions(of: cases, workspace, in: catalog)
        var progress = ProgressBar(total: cases.count)
        var results: [CheckResult] = []
        var routes = RouteCoverage(catalog)
        let keys = try workspace.signingKeys(for: catalog)
        for (index, one) in cases.enumerated() {
            results.append(check(one, permissions: permissions[index], in: catalog, keys: keys, routes: &routes))
            progress.update(index + 1)
        }
        progress.finish()
        let report = CheckReport(results: results, coverage: coverage ? routes : nil)
        switch format {
        case .text: print(lines: report.lines)
        case .json: JSONOutput.print(report)
        case .junit: print(document: report.junit(named: name))
        }
        guard report.failureCount == 0 else { throw CommandError(.no, message: nil) }
    }

    /// Looks up the permissions of each case.
    ///
    /// The database is opened only if a case names a user.
    private func permissions(
        of cases: [LinkCase],
        _ workspace: Workspace,
        in catalog: RouteCatalog
    ) async throws -> [Permissions] {
        let unnamed = try catalog.permissions(level: level, grants: grants)
        let users = cases.compactMap { if case .user(let user) = $0.audience { user } else { nil } }
        var stored: [UserID: Permissions] = [:]
        if !users.isEmpty {
            stored = try await workspace.withStore { store in
                var permissions: [UserID: Permissions] = [:]
                for user in Set(users) {
                    let state = try await store.state(of: user)
                    permissions[user] =
                        state?.access.permissions(at: SystemClock.now(), in: catalog) ?? Permissions.none
                }
                return permissions
            }
        }
        return cases.map { one in
            let own =
                switch one.audience {
                case .unnamed: unnamed
                case .named(let permissions): permissions
                case .user(let user): stored[user] ?? .none
                }
            return own.joined(with: one.held.map { catalog.assertions($0) } ?? catalog.allAssertions)
        }
    }

    private func check(
        _ one: LinkCase,
        permissions: Permissions,
        in catalog: RouteCatalog,
        keys: LinkSigningKeys,
        routes: inout RouteCoverage
    ) -> CheckResult {
        let request: ResolutionRequest
        do throws(LinkSyntaxError) {
            request = try ResolutionRequest(
                link: Array(one.link.utf8),
                mode: one.mode,
                current: one.from,
                app: one.app ?? app,
                rootless: catalog.rootlessSchemes
            )
        } catch {
            return result(of: one, Problem(error, in: Array(one.link.utf8)), advice: "")
        }
        let decision = decide(request, permissions: permissions, catalog: catalog, keys: keys, at: SystemClock.now())
        if coverage { routes.note(request, decision: decision) }
        do throws(Problem) {
            let plan = try decision.plan()
            return CheckResult(
                line: one.line,
                link: one.link,
                failure: one.expected.difference(from: plan),
                warning: LinkWarning.first(in: one.link),
                outcome: plan.stack.map(\.route).joined(separator: " › ")
            )
        } catch {
            return result(of: one, error, advice: decision.advice)
        }
    }

    /// Returns the sign of an unfilled placeholder in a failing link, unless it is a space that the problem already
    /// names.
    private func warning(of one: LinkCase, _ problem: Problem) -> LinkWarning? {
        let warning = LinkWarning.first(in: one.link)
        return problem.code == .malformedLink && warning?.sign == .rawSpace ? nil : warning
    }

    private func result(of one: LinkCase, _ problem: Problem, advice: String) -> CheckResult {
        CheckResult(
            line: one.line,
            link: one.link,
            failure: one.expected.difference(from: problem, advice: advice),
            warning: warning(of: one, problem),
            outcome: problem.code.rawValue
        )
    }
}

/// The output format of a list of results.
enum ReportFormat: String, CaseIterable, ExpressibleByArgument {
    case text
    case json
    case junit
}
