import ArgumentParser
import Foundation
import Logging

/// Runs the service.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serves the HTTP API and the link surface until SIGTERM or SIGINT.",
        discussion: """
            waymark serve --port 8080 --catalog Config/routes.yaml --database var/waymark.sqlite

            On loopback it is open to every process of the machine until there is a token (`waymark token create`). \
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

    @Flag(
        help: """
            Serve beyond loopback without any credentials: whoever can connect may do everything. Where there are \
            credentials, they are asked for all the same. Environment: WAYMARK_INSECURE_NO_AUTH.
            """
    )
    var insecureNoAuth = false

    @Option(
        help: ArgumentHelp(
            """
            The most connections at a time, 1 to 100000; further ones wait. Environment: \
            WAYMARK_HTTP_MAXIMUM_CONNECTIONS. Default: 10000.
            """,
            valueName: "count"
        )
    )
    var maximumConnections: String?

    @Option(
        help: ArgumentHelp(
            """
            The most requests worked on at a time, 1 to 100000; further ones get 503. Environment: \
            WAYMARK_HTTP_MAXIMUM_REQUESTS. Default: 1024.
            """,
            valueName: "count"
        )
    )
    var maximumRequests: String?

    @Option(
        help: ArgumentHelp(
            """
            The most MiB of requests that are kept over all connections while their rest is awaited, 1 to 65536; \
            further ones get 503. Environment: WAYMARK_HTTP_MAXIMUM_ARRIVING_MEGABYTES. Default: 64.
            """,
            valueName: "MiB"
        )
    )
    var maximumArrivingMegabytes: String?

    @Option(
        help: ArgumentHelp(
            """
            Of how many users the level is kept in memory, 0 to 10000000; of others it is read from the file. A user \
            takes 100 bytes, with a UUID as id 200, at most 500. Environment: WAYMARK_CACHE_MAXIMUM_USERS. Default: \
            100000.
            """,
            valueName: "count"
        )
    )
    var maximumCachedUsers: String?

    @Option(
        help: ArgumentHelp(
            """
            The most changes of each user that the history keeps, 1 to 1000000; the newest is always kept. Environment: \
            WAYMARK_HISTORY_MAXIMUM_COUNT. Default: 1000.
            """,
            valueName: "count"
        )
    )
    var maximumHistoryCount: String?

    @Option(
        help: ArgumentHelp(
            """
            The age from which on the history drops a change, when the user is next changed, 0 to 36500 days; 0 for \
            none. Environment: WAYMARK_HISTORY_MAXIMUM_AGE. Default: 0.
            """,
            valueName: "days"
        )
    )
    var maximumHistoryAge: String?

    @Option(
        help: ArgumentHelp(
            """
            How long a refused link may be tried again with the continuation that came with the refusal, 1 to 86400 \
            seconds. Environment: WAYMARK_CONTINUATION_LIFETIME. Default: 600.
            """,
            valueName: "seconds"
        )
    )
    var continuationLifetime: String?

    @Option(
        help: ArgumentHelp(
            """
            The least severe messages to log: trace, debug, info, notice, warning, error or critical. Environment: \
            WAYMARK_LOG_LEVEL. Default: info.
            """,
            valueName: "level"
        )
    )
    var logLevel: String?

    @OptionGroup var endUsers: EndUserOptions

    @OptionGroup var shared: SharedOptions

    func run() async throws {
        // Until the catalog can be reloaded, the signal to do so means nothing; by itself it would end the process.
        signal(SIGHUP, SIG_IGN)
        var overrides = listening.overrides.merging(endUsers.overrides) { _, flag in flag }
        if insecureNoAuth { overrides[.insecureNoAuth] = "true" }
        overrides[.logLevel] = logLevel
        overrides[.maximumConnections] = maximumConnections
        overrides[.maximumRequests] = maximumRequests
        overrides[.maximumArrivingMegabytes] = maximumArrivingMegabytes
        overrides[.maximumCachedUsers] = maximumCachedUsers
        overrides[.maximumHistoryCount] = maximumHistoryCount
        overrides[.maximumHistoryAge] = maximumHistoryAge
        overrides[.continuationLifetime] = continuationLifetime
        var warnings: [String] = []
        let settings = try shared.settings(overriding: overrides) { warnings.append($0) }
        LoggingSystem.bootstrap(StreamLogHandler.standardError)
        var logger = Logger(label: "waymark")
        logger.logLevel = settings.logLevel
        for warning in warnings { logger.warning("\(warning)") }
        try await Server(settings: settings, logger: logger).run()
    }
}
