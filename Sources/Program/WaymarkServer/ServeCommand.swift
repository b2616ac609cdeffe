import ArgumentParser
import DeepLinkHTTP
import Foundation
import HTTPServer
import Logging
import NIOCore
import WaymarkCommands

/// The command that runs the service.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serves the HTTP API and web links until SIGTERM or SIGINT.",
        discussion: """
            waymark serve --port 8080 --catalog Config/routes.yaml --database var/waymark.sqlite

            On loopback it is open to every process of the machine, and closed to proxied requests, until a token \
            exists (`waymark token create`). On any other address it starts only with credentials: a token, or the \
            keys of end users' tokens (--jwt-issuer and the following). Once credentials exist, every request needs \
            them, on any address.

            A catalog file that is replaced by rename is loaded immediately (mv new.yaml routes.yaml). A file written \
            in place is loaded when it ends with a line feed and has not changed for two seconds. A catalog that \
            includes files is loaded when none of them has changed for some seconds. If it removes routes \
            or lowers levels, it is loaded only on a SIGHUP sent after the change. Removed routes and lowered levels \
            are logged. A catalog with faults is refused, and the former one stays in force.

            On SIGTERM `/readyz` reports that it is stopping, the port stays open for another 5 seconds \
            (--drain-seconds), and connections close after their next response. On SIGINT the port stays open only for \
            requests in progress. The server finishes the requests in progress within 10 seconds of the signal, and \
            exits with 0. If something does not stop, it exits with 1 after another 2 seconds, or at a second Ctrl-C \
            immediately. Acknowledged writes are in the file. A socket that systemd passes in (LISTEN_FDS) replaces \
            --host and --port. It stays open during a restart, and the next server waits for the last one to end.

            Every setting can also come from the environment or the settings file.
            """
    )

    @OptionGroup var listening: ListeningOptions

    @OptionGroup var server: ServerOptions

    @OptionGroup var shared: SharedOptions

    /// The settings given on the command line, without the options that all commands share.
    var overrides: [Setting: String] { listening.overrides.merging(server.overrides) { _, flag in flag } }

    func run() async throws {
        // Until the catalog can be reloaded, the signal for it is ignored. By default it would end the process.
        signal(SIGHUP, SIG_IGN)
        var warnings: [String] = []
        let settings = try shared.settings(overriding: overrides) { warnings.append($0) }
        LoggingSystem.bootstrap(settings.logFormat.handler)
        var logger = Logger(label: "waymark")
        logger.logLevel = settings.logLevel
        for warning in warnings { logger.warning("\(warning)") }
        do {
            try await Server(settings: settings, socket: InheritedSocket.find(), logger: logger).run()
        } catch let failure as CommandError where settings.logFormat != .text {
            // Programs that read the log expect lines, not paragraphs. The same holds below.
            logger.critical("The server does not start.", metadata: ["reason": "\(failure.message ?? "")"])
            throw CommandError(failure.code, message: nil)
        }
    }
}

/// The messages of a server that can't listen.
enum ListeningFailure {
    /// Returns an error that describes why a server can't listen, and the settings to change.
    ///
    /// A `CommandError` is unchanged.
    static func explained(_ error: any Error, settings: Settings) -> any Error {
        guard !(error is CommandError) else { return error }
        let redirects = error as? RedirectServer.BindingError
        let (number, error) = redirects.map { ($0.port, $0.cause) } ?? (settings.port, error)
        let address = settings.host.utf8.contains(UInt8(ascii: ":")) ? "[\(settings.host)]" : settings.host
        let place = "\(address):\(number)"
        let port = settings.waysToSet(redirects == nil ? .port : .redirectPort)
        let host = settings.waysToSet(.host)
        let message =
            switch (error as? IOError)?.errnoCode {
            case EADDRINUSE?:
                "port \(number) on \(settings.host) is taken by another server. Stop it, or choose another port by \(port)."
            case EACCES?, EPERM?:
                "port \(number) needs more rights than this process has. Choose one above 1023 by \(port)."
            case EADDRNOTAVAIL?:
                "cannot listen on \(place): \(settings.host) is not an address of this machine. Choose one that it has, or "
                    + "0.0.0.0 for all of them, by \(host)."
            case EAFNOSUPPORT?:
                "cannot listen on \(place): this machine has no addresses of that kind (IPv4, IPv6). Choose another by \(host)."
            case let code?:
                "cannot listen on \(place): \(String(cString: strerror(code))). Choose another address by \(host)."
            case nil where error is SocketAddressError || error is SocketAddressError.UnknownHost:
                "cannot listen on \(place): no address is known for the name \(settings.host). Choose an address of this "
                    + "machine by \(host)."
            case nil:
                "cannot listen on \(place): \(error). Choose another address by \(host)."
            }
        return CommandError.unavailable(message)
    }
}
