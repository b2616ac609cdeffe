import ArgumentParser
import DeepLinkCore
import DeepLinkFormats

/// The command that checks a list of links, for continuous integration.
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Checks that every link of a list leads where it should.",
        discussion: """
            A file has one link a line; blank lines and those that begin with # are skipped.

            waymark check links.txt --level premiumUser
            waymark check links.txt --expect expected.ndjson

            Without --expect a link passes where the level may follow it. With it, line by line for each link, a JSON \
            object gives the members that the answer must have, such as {"stack":[…]} or {"status":403}; a "level" in \
            it counts for that link, else --level, else the level that the answer tells of. What `POST /v1/resolve/batch` answers can be kept as such a file.

            Exits with 0 where every link passes, 1 where one fails, 65 where a file is malformed.
            """
    )

    @Argument(help: "The file of links; - is standard input.")
    var file: String

    @Option(help: ArgumentHelp("The level that counts; without it, none.", valueName: "level"))
    var level: AuthorizationLevel?

    @Option(help: "The file of expected answers (NDJSON), a line for each link.")
    var expect: String?

    @Option(help: "How to print the report: text, json or junit.")
    var format: ReportFormat = .text

    @OptionGroup var shared: SharedOptions

    func validate() throws {
        guard file.bytewise != "-" || expect?.bytewise != "-" else {
            throw ValidationError("Standard input cannot be both the links and the expected answers.")
        }
    }

    func run() async throws {
        let catalog = try Workspace(settings: try shared.settings()).catalog()
        let name = InputFile.name(file)
        let list = try LinkList(try InputFile.read(file), named: name)
        let expected = try expect.map { path throws(CommandError) in
            try ExpectedAnswer.read(try InputFile.read(path), named: InputFile.name(path))
        }
        if let expected, expected.count != list.links.count {
            throw CommandError(
                .badData,
                "\(name) has \(list.links.count) links, and \(InputFile.name(expect ?? "")) \(expected.count) answers."
            )
        }
        var progress = ProgressBar(total: list.links.count)
        var results: [CheckResult] = []
        for (index, link) in list.links.enumerated() {
            results.append(check(link.text, line: link.line, expected?[index], catalog))
            progress.update(index + 1)
        }
        progress.finish()
        let report = CheckReport(results)
        switch format {
        case .text: for line in report.lines { print(line) }
        case .json: JSONOutput.print(report)
        case .junit: print(report.junit(named: name))
        }
        guard report.failureCount == 0 else { throw CommandError(.no, nil) }
    }

    private func check(
        _ text: String,
        line: Int,
        _ expected: ExpectedAnswer?,
        _ catalog: RouteCatalog
    ) -> CheckResult {
        let problem: Problem
        do throws(LinkSyntaxError) {
            let request = ResolutionRequest(link: try DeepLink(text))
            switch resolve(
                request,
                userLevel: expected?.level ?? level ?? expected?.userLevel ?? .none,
                catalog: catalog
            ) {
            case .plan(let plan):
                let body = PlanBody(plan)
                return CheckResult(
                    line: line,
                    link: text,
                    failure: expected?.difference(from: body),
                    outcome: plan.stack.map(\.route).joined(separator: " › ")
                )
            case .denial(let denial): problem = Problem(denial)
            case .failure(let failure): problem = Problem(failure)
            }
        } catch {
            problem = Problem(error)
        }
        return CheckResult(
            line: line,
            link: text,
            failure: expected.map { $0.difference(from: problem) } ?? "\(problem.code.rawValue): \(problem.detail)",
            outcome: problem.code.rawValue
        )
    }
}

/// The form in which a list of results is shown.
enum ReportFormat: String, CaseIterable, ExpressibleByArgument {
    case text
    case json
    case junit
}

/// A file of links, one a line; blank lines and those that begin with `#` are comments.
struct LinkList {
    /// The links with the number of their line.
    let links: [(line: Int, text: String)]

    /// Reads the bytes of a file.
    ///
    /// - Throws: ``CommandError`` of code 65 where they are not UTF-8.
    init(_ bytes: [UInt8], named name: String) throws(CommandError) {
        var links: [(line: Int, text: String)] = []
        for (number, line) in InputFile.lines(bytes) {
            guard let text = String(validating: line, as: UTF8.self) else {
                throw CommandError(.badData, "\(name):\(number) is not UTF-8.")
            }
            if !text.allSatisfy(\.isWhitespace), text.utf8.first != UInt8(ascii: "#") { links.append((number, text)) }
        }
        self.links = links
    }
}
