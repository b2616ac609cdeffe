import ArgumentParser
import Logging

/// Runs the service.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serves the HTTP API and the link surface until SIGTERM or SIGINT.",
        discussion: """
            waymark serve --port 8080 --catalog Config/routes.yaml --database var/waymark.sqlite

            On loopback it is open to every process of the machine until there is a token (`waymark token create`). \
            Elsewhere it needs one to start. On SIGHUP, and when the catalog file changes, it takes the new catalog; \
            one that is broken is refused, and the old one serves on.

            On SIGTERM it finishes the requests in flight, moves the write-ahead log into the database file and \
            exits with 0. Every setting can also come from the environment or the settings file.
            """
    )

    @OptionGroup var listening: ListeningOptions

    @Flag(help: "Serve beyond loopback although no credentials are configured. Environment: WAYMARK_INSECURE_NO_AUTH.")
    var insecureNoAuth = false

    @Option(
        help: "The most connections at a time. Environment: WAYMARK_HTTP_MAXIMUM_CONNECTIONS. Default: 10000."
    )
    var maximumConnections: String?

    @Option(
        help: "The most requests worked on at a time. Environment: WAYMARK_HTTP_MAXIMUM_REQUESTS. Default: 1024."
    )
    var maximumRequests: String?

    @Option(
        help:
            "How long, in seconds, a continuation may be redeemed. Environment: WAYMARK_CONTINUATION_LIFETIME. Default: 600."
    )
    var continuationLifetime: String?

    @Option(help: "The least severe messages to log, such as debug. Environment: WAYMARK_LOG_LEVEL. Default: info.")
    var logLevel: String?

    @OptionGroup var endUsers: EndUserOptions

    @OptionGroup var shared: SharedOptions

    func run() async throws {
        var overrides = listening.overrides.merging(endUsers.overrides) { _, flag in flag }
        if insecureNoAuth { overrides[.insecureNoAuth] = "true" }
        overrides[.logLevel] = logLevel
        overrides[.maximumConnections] = maximumConnections
        overrides[.maximumRequests] = maximumRequests
        overrides[.continuationLifetime] = continuationLifetime
        let settings = try await shared.settings(overriding: overrides)
        LoggingSystem.bootstrap(StreamLogHandler.standardError)
        var logger = Logger(label: "waymark")
        logger.logLevel = settings.logLevel
        try await Server(settings: settings, logger: logger).run()
    }
}
