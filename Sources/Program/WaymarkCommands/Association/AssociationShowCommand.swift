import ArgumentParser
import DeepLinkCore
import DeepLinkFormats
import DeepLinkWeb

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
        let catalog = try Workspace(settings: try shared.settings()).catalog()
        let files = AssociationFiles(catalog)
        guard let host = host ?? files.hosts.first else {
            throw CommandError(.no, message: "the catalog has no https origin, so there is nothing to associate.")
        }
        guard let bytes = files.file(for: platform, host: host) else {
            let known = files.hosts.joined(separator: ", ")
            throw CommandError(
                .no,
                message: files.knows(host)
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
