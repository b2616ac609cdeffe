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

            On loopback it is open to every process of the machine, and closed to proxied requests, until there \
            is a token (`waymark token create`). \
            On any other address it starts only with credentials: a token, or the keys of end users' tokens \
            (--jwt-issuer and the following). Once there are credentials, every call needs some, on any address.

            A catalog file that is replaced by rename is loaded at once (mv new.yaml routes.yaml). One that is \
            written in place is loaded once it has not changed for two seconds, if it ends with a line feed; if it \
            removes routes or lowers levels, only on a SIGHUP sent after the change. Removed routes and lowered levels \
            are logged. A catalog with faults is refused, and the former one stays in force.

            On SIGTERM `/readyz` says that it is stopping, the port stays open for another 5 seconds \
            (--drain-seconds), and answers end their connections; on SIGINT only for requests in progress. It finishes \
            the requests in flight, within 10 seconds of the signal, and exits with 0. If something does not stop, \
            it ends 2 seconds later anyway, and at a second Ctrl-C at once, with 1; acknowledged writes are in the \
            file. A socket that systemd passes in (LISTEN_FDS) is served in place of --host and --port; it stays \
            open over a restart, and the next server waits for the last one to end.

            Every setting can also come from the environment or the settings file.
            """
    )

    @OptionGroup var listening: ListeningOptions

    @OptionGroup var server: ServerOptions

    @OptionGroup var shared: SharedOptions

    /// The settings given on the command line, without those that every command has.
    var overrides: [Setting: String] { listening.overrides.merging(server.overrides) { _, flag in flag } }

    func run() async throws {
        // Until the catalog can be reloaded, the signal to do so is ignored; by default it would end the process.
        signal(SIGHUP, SIG_IGN)
        var warnings: [String] = []
        let settings = try shared.settings(overriding: overrides) { warnings.append($0) }
        LoggingSystem.bootstrap(settings.logFormat.handler)
        var logger = Logger(label: "waymark")
        logger.logLevel = settings.logLevel
        for warning in warnings { logger.warning("\(warning)") }
        do {
            try await Server(settings: settings, socket: HandedSocket.find(), logger: logger).run()
        } catch let failure as CommandError where settings.logFormat != .text {
            // Programs that read lines get no paragraphs: neither here nor below.
            logger.critical("The server does not start.", metadata: ["reason": "\(failure.message ?? "")"])
            throw CommandError(failure.code, message: nil)
        }
    }
}
