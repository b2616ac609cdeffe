import ArgumentParser
import DeepLinkCore
import DeepLinkFormats
import DeepLinkWeb

/// The command that shows whether a phone would open a URL in the app.
struct AssociationTestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Shows whether a phone opens a URL in the app, by the rules of its platform.",
        discussion: """
            waymark association test https://links.example.com/products/42 --platform ios
            waymark association test https://example.com/buy/42 --platform android --file assetlinks.json \\
                --domain example.com --app com.example.app

            Without --file, the file generated from the catalog for the URL's host is used. The result then includes \
            Waymark's page for the link, with its signature checked. For Android, the newest of three generations of \
            its parser decides. Nothing is fetched.

            Exits with 0 if the app opens, 1 if it doesn't, 65 if the file isn't JSON or matching takes too long.
            """
    )

    @Argument(help: "The URL, in quotes since shells interpret `?` and `&`.")
    var url: String

    @Option(help: "The platform: ios or android.")
    var platform: AssociationPlatform

    @Option(help: "The file to test, or - for standard input. Default: the catalog's own.")
    var file: String?

    @Option(help: "The host that serves the file, or an empty text for any. Default: the URL's own.")
    var domain: String?

    @Option(
        help: "The app: an application identifier, a package, or its name in the catalog. Default: any of the file."
    )
    var app: String?

    @Option(help: .format) var format: OutputFormat = .text

    @Option(.signingKeys) var signingKeys: String?

    @OptionGroup var shared: SharedOptions

    func run() async throws {
        let question = AssociationQuery(url: url, platform: platform, domain: domain, app: app)
        let answer: AssociationResult
        if let file {
            answer = try question.answer(fromFile: InputFile.read(file), named: InputFile.name(file))
        } else {
            let workspace = try shared.workspace(overriding: [.signingKeys: signingKeys])
            let catalog = try workspace.catalog()
            if let app, DeclaredApp.isName(app) { _ = try AppArgument(argument: app).index(in: catalog) }
            let keys = try workspace.signingKeys(for: catalog)
            answer = question.answer(from: catalog, keys: keys, at: SystemClock.now())
        }
        format.print(answer, lines: answer.lines)
        guard answer.verdict.opens else { throw CommandError(.no, message: nil) }
    }
}

extension AssociationQuery {
    /// Returns the answer for a given file.
    ///
    /// - Throws: `CommandError` of code 65 if the file isn't JSON, or if matching its patterns takes too long.
    fileprivate func answer(fromFile bytes: [UInt8], named name: String) throws(CommandError) -> AssociationResult {
        let json: JSONValue
        do throws(JSONSyntaxError) {
            json = try JSONParser.parse(bytes, takesLast: true)
        } catch {
            throw CommandError.badData("\(name) isn't JSON: at byte \(error.offset), \(error.message).")
        }
        // The file may be untrusted, so matching is limited to less than a second and 200 MB.
        do throws(MatchingEffortError) {
            return AssociationResult(verdict: try verdict(by: json))
        } catch {
            throw CommandError.badData("The patterns of \(name) take too long for this URL.")
        }
    }
}

/// The command that prints the association file of a host, as the server returns it.
struct AssociationShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Prints the association file that the catalog makes for a platform.",
        discussion: """
            waymark association show ios
            waymark association show android --host links.example.com

            Exits with 0 if there is a file, 1 if the catalog lacks the host or an app of the platform. `waymark \
            catalog check` reports links that the file cannot express exactly.
            """
    )

    @Argument(help: "The platform: ios or android.")
    var platform: AssociationPlatform

    @Option(help: "The host. Default: the first of the catalog's https origins.")
    var host: String?

    @OptionGroup var shared: SharedOptions

    func run() async throws {
        let catalog = try shared.workspace().catalog()
        let files = AssociationFiles(catalog)
        guard let host = host ?? files.hosts.first else {
            throw CommandError.no("the catalog has no https origin, so there is nothing to associate.")
        }
        guard let bytes = files.file(for: platform, host: host) else {
            let known = files.hosts.joined(separator: ", ")
            throw CommandError.no(
                files.knows(host)
                    ? "the catalog names no app for \(platform.rawValue); add one under `apps`."
                    : "no https origin has the host \(host). There are: \(known)."
            )
        }
        Swift.print(TerminalText.json(String(decoding: bytes, as: UTF8.self)))
    }
}

extension AssociationPlatform: ExpressibleByArgument {}

/// The group of the commands about association files, which define the links that an app opens.
package struct AssociationCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "association",
        abstract: "Shows and tests the association files, which define the links that an app opens.",
        subcommands: [AssociationShowCommand.self, AssociationTestCommand.self]
    )
}
