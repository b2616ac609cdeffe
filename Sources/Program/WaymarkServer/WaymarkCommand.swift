package import ArgumentParser
import Foundation
import WaymarkCommands

/// The command `waymark`, which turns all errors into messages and exit codes.
package struct WaymarkCommand: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "waymark",
        abstract: "Resolves deep links with a route catalog, and checks access to their destinations.",
        discussion: """
            Start the service:      waymark serve
            Ask it:                 curl 'http://127.0.0.1:8080/v1/resolve?link=navigation://loremipsum.com/onboarding'
            Ask without a server:   waymark resolve navigation://loremipsum.com/settings --level signedInUser
            Check many links:       waymark check links.txt --level premiumUser
            Check a catalog:        waymark catalog check Config/routes.yaml
            Build a link:           waymark link build stack.json
            Make a short link:      waymark short-links make https://example.com/x --code spring
            Test a phone's file:    waymark association test https://example.com/x --platform ios
            Write an app's types:   waymark generate swift --output App/Routes

            Exit codes: 0 done, 1 negative answer, 64 usage, 65 bad data, 69 unavailable resource.
            """,
        version: Version.text,
        subcommands: [
            ServeCommand.self, ResolveCommand.self, CheckCommand.self, CatalogCommand.self, LinkCommand.self,
            AudienceCommand.self, ReportCommand.self, AssociationCommand.self, UserCommand.self, ShortLinksCommand.self,
            TokenCommand.self, AuditCommand.self, BackupCommand.self, RestoreCommand.self,
            DatabaseCommand.self, GenerateCommand.self, HealthcheckCommand.self,
        ]
    )

    /// Creates the command.
    package init() {}

    /// Parses the command line, runs the command, and ends the process with its exit code.
    package static func run() async {
        do {
            try requireUTF8Arguments()
            var command = try parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            // Output that did not reach its file or pipe must not count as success.
            guard fflush(nil) == 0 else {
                throw CommandError.unavailable("standard output cannot be written.")
            }
        } catch let failure as CommandError {
            if let message = failure.message { StandardError.print("waymark: \(message)") }
            Foundation.exit(failure.code.rawValue)
        } catch {
            let (message, code) = (fullMessage(for: error), exitCode(for: error))
            // Help and scripts are the program's own text. An error message repeats the arguments.
            guard code != .success else { exit(withError: error) }
            if !message.isEmpty { StandardError.print(message) }
            Foundation.exit(code.rawValue)
        }
    }

    /// Requires the arguments to be UTF-8.
    ///
    /// Swift would repair others, so that different ids could become the same.
    private static func requireUTF8Arguments() throws(CommandError) {
        for index in 0..<Int(CommandLine.argc) {
            guard let argument = CommandLine.unsafeArgv[index], String(validatingCString: argument) == nil else {
                continue
            }
            throw CommandError.badData("argument \(index) is not UTF-8.")
        }
    }
}
