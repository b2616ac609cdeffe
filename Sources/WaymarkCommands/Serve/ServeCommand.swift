import ArgumentParser
import Foundation
import Logging

/// The command that runs the service.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serves the HTTP API and the link surface until SIGTERM or SIGINT.",
        discussion: """
            waymark serve --port 8080 --catalog Config/routes.yaml --database var/waymark.sqlite

            On loopback it is open to every process of the machine, and closed to what came through a proxy, until there \
            is a token (`waymark token create`). \
            On any other address it starts only with credentials: a token, or the keys of end users' tokens \
            (--jwt-issuer and the following). Where there are credentials, every call needs some, on any address.

            It takes a catalog file that was replaced by rename at once (mv new.yaml routes.yaml). One that was \
            written in place it takes once it has not changed for two seconds, if it ends with a line feed; where it \
            removes routes or lowers levels, only on a SIGHUP sent after the change. What is removed or opened is \
            logged. A catalog with faults is refused, and the former one serves on.

            On SIGTERM or SIGINT `/readyz` says that it is stopping; it finishes the requests in flight, within 10 \
            seconds, and exits with 0. Where something does not stop, it ends after 12 seconds all the same, and at a \
            second Ctrl-C at once, with 1; what was acknowledged is in the file. Every setting can also come from the environment or the settings file.
            """
    )

    @OptionGroup var listening: ListeningOptions

    @OptionGroup var server: ServerOptions

    @OptionGroup var shared: SharedOptions

    /// The settings given on the command line but for those that every command has.
    var overrides: [Setting: String] { listening.overrides.merging(server.overrides) { _, flag in flag } }

    func run() async throws {
        // Until the catalog can be reloaded, the signal to do so means nothing; by itself it would end the process.
        signal(SIGHUP, SIG_IGN)
        var warnings: [String] = []
        let settings = try shared.settings(overriding: overrides) { warnings.append($0) }
        LoggingSystem.bootstrap(StreamLogHandler.standardError)
        var logger = Logger(label: "waymark")
        logger.logLevel = settings.logLevel
        for warning in warnings { logger.warning("\(warning)") }
        try await Server(settings: settings, logger: logger).run()
    }
}
