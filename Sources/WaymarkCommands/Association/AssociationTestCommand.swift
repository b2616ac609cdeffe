import ArgumentParser
import DeepLinkAssociation
import DeepLinkCore
import DeepLinkFormats

/// The command that tells whether a phone would open a URL in the app.
struct AssociationTestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Tells whether a phone opens a URL in the app, by the rules of its platform.",
        discussion: """
            waymark association test https://links.example.com/products/42 --platform ios
            waymark association test https://example.com/buy/42 --platform android --file assetlinks.json \\
                --domain example.com --app com.example.app

            Without --file, it is the file that the catalog makes for the URL's host, and the answer says what Waymark shows \
            for the link. Of the three generations of Android's parser, the newest decides. Nothing is fetched.

            Exits with 0 where the app opens, 1 where it does not, 65 where the file is no JSON.
            """
    )

    @Argument(help: "The URL; quote it, since shells read `?` and `&`.")
    var url: String

    @Option(help: "The platform: ios or android.")
    var platform: AssociationPlatform

    @Option(help: "The file to test, or - for standard input; without one, the catalog's own.")
    var file: String?

    @Option(help: "The host that serves the file; an empty text for any, without one, the URL's own.")
    var domain: String?

    @Option(help: "The app: an application identifier or a package; without one, any that the file names.")
    var app: String?

    @Option(help: "How to print the answer: text or json.")
    var format: OutputFormat = .text

    @OptionGroup var shared: SharedOptions

    func run() async throws {
        let question = AssociationQuestion(url: url, platform: platform, domain: domain, app: app)
        let answer: AssociationAnswer
        if let file {
            answer = try question.answer(fromFile: InputFile.read(file), named: InputFile.name(file))
        } else {
            answer = question.answer(from: try Workspace(settings: try shared.settings()).catalog())
        }
        switch format {
        case .json: JSONOutput.print(answer)
        case .text: for line in answer.lines { print(line) }
        }
        guard answer.verdict.opens else { throw CommandError(.no, nil) }
    }
}

extension AssociationQuestion {
    /// Answers from a file that is given.
    ///
    /// - Throws: `CommandError` of code 65 where it is no JSON.
    fileprivate func answer(fromFile bytes: [UInt8], named name: String) throws(CommandError) -> AssociationAnswer {
        let json: JSONValue
        do throws(JSONSyntaxError) {
            json = try JSONParser.parse(bytes, takesLast: true)
        } catch {
            throw CommandError(.badData, "\(name) is no JSON: at byte \(error.offset), \(error.message).")
        }
        // A file of one's own may take as long as it does.
        guard let verdict = try? verdict(by: json, MatchingEffort(steps: .max)) else {
            return AssociationAnswer(verdict: .closed)
        }
        return AssociationAnswer(verdict: verdict)
    }
}
