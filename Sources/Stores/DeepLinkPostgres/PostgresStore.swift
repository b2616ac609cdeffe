import DeepLinkCore
package import DeepLinkStorage
package import Logging
import Synchronization

/// A store of user states, service tokens, continuations and short links in a PostgreSQL database, shared by any number
/// of replicas.
///
/// All durable data is in the database. The store has four threads, each with a connection of its own, opened when
/// first needed: one for levels and external changes, one for all other reads, one for writes, and one for counts of
/// all users, which may take long.
package final class PostgresStore: Sendable {
    /// The purpose for which the database is opened.
    package enum Use: Sendable {
        /// A server: caches levels.
        case serving

        /// A command or a test. The value is whether it creates missing tables.
        case offline(creating: Bool)
    }

    /// The clock that dates changes, and so orders changes without an effective time.
    package enum Clock: Sendable {
        /// The database's clock, which all replicas share.
        case database

        /// The clock of each change's author, for tests with artificial times.
        case author
    }

    /// The limits of a server's cache.
    package struct Memory: Sendable {
        /// The maximum number of cached users, and of cached short links.
        let maximumUsers: Int

        /// The longest time until a change of another replica is seen.
        let maximumStaleness: Duration

        /// The additional time for which cached levels are used while the database is unreachable.
        let staleIfError: Duration

        /// Creates limits.
        package init(
            maximumUsers: Int = 100_000,
            maximumStaleness: Duration = .seconds(1),
            staleIfError: Duration = .zero
        ) {
            self.maximumUsers = maximumUsers
            self.maximumStaleness = maximumStaleness
            self.staleIfError = staleIfError
        }
    }

    /// The time limits of a store.
    package struct Timeouts: Sendable {
        /// The time limit for reading the level for a resolve.
        var level = Duration.seconds(1)

        /// The time limit of any other read.
        var read = Duration.seconds(3)

        /// The time limit of a change.
        var write = Duration.seconds(5)

        /// The time limit for counting all users, or `nil` for the default of the use.
        var count: Duration?

        /// The time limit for opening.
        ///
        /// Even the tenth replica to start waits for the migrations of the first.
        var opening = Duration.seconds(30)

        /// Creates the time limits of the service.
        package init() {}

        /// Returns the time limit of a count.
        ///
        /// On a server it is shorter than the 30 seconds after which an idle connection is closed. For a command, it is
        /// an hour.
        func count(isServing: Bool) -> Duration { count ?? .seconds(isServing ? 25 : 3600) }
    }

    let location: PostgresLocation
    let memory: Memory
    let health = DatabaseHealth()
    let pages: DatabaseReader
    let counting: DatabaseReader
    let levelReader: DatabaseReader
    let feed: ChangeFeed

    /// The renamings of levels, as they were last read.
    let knownRenames = Mutex<[LevelRename]?>(nil)
    let levels: UserLevelCache?
    let links: ShortLinkCache?
    let maximumAnswerCount: Int
    let historyLimits: UserHistoryLimits

    /// The generator of random codes.
    package let codeGenerator: ShortLinkCodeGenerator

    let secrets: DatabaseSecrets
    let serverVersion: String
    package let upgrade: SchemaUpgrade?
    let writer: DatabaseWriter
    private let logger: Logger

    /// Opens a database, and upgrades its schema.
    ///
    /// - Parameters:
    ///   - location: The database.
    ///   - use: Whether a server opens it.
    ///   - memory: The limits of a server's cache.
    ///   - historyLimits: The limits of each user's history.
    ///   - maximumAnswerCount: The maximum number of stored responses to requests with an idempotency key.
    ///   - timeouts: The time limits.
    ///   - usesSnapshots: Whether external changes are found with PostgreSQL's snapshots, if the server has them, or
    ///     otherwise by age.
    ///   - clock: The clock that dates changes.
    ///   - codeGenerator: The generator of random codes.
    ///   - logger: The logger for lost and restored connections, for changes that are left out, and for an upgrade.
    /// - Throws: ``PostgresError``.
    package init(
        _ location: PostgresLocation,
        use: Use = .offline(creating: true),
        memory: Memory = Memory(),
        historyLimits: UserHistoryLimits = UserHistoryLimits(),
        maximumAnswerCount: Int = 250_000,
        timeouts: Timeouts = Timeouts(),
        usesSnapshots: Bool = true,
        clock: Clock = .database,
        codeGenerator: ShortLinkCodeGenerator = .system,
        logger: Logger = Logger(label: "waymark") { _ in SwiftLogNoOpLogHandler() }
    ) async throws {
        self.location = location
        self.memory = memory
        self.logger = logger
        self.maximumAnswerCount = maximumAnswerCount
        self.historyLimits = historyLimits
        self.codeGenerator = codeGenerator
        let (isServing, creates) =
            switch use {
            case .serving: (true, true)
            case .offline(let creating): (false, creating)
            }
        let opener = DatabaseReader("waymark opening", location: location, health: health, timeout: timeouts.opening)
        defer { opener.close() }
        let deadline = MonotonicInstant.now.advanced(by: timeouts.opening)
        let opening = try await Self.repeating(until: deadline) {
            try await opener.run { connection throws(PostgresError) in
                try DatabaseOpening(
                    connection,
                    to: location,
                    creates: creates,
                    usesSnapshots: usesSnapshots,
                    logger: logger
                )
            }
        }
        secrets = opening.secrets
        serverVersion = opening.serverVersion
        upgrade = opening.upgrade
        let lease = max(memory.maximumStaleness - .milliseconds(100), .milliseconds(100))
        let keepsFormer = memory.staleIfError > .zero
        levels =
            isServing && memory.maximumUsers > 0
            ? UserLevelCache(capacity: memory.maximumUsers, lease: lease, keepsFormer: keepsFormer) : nil
        links = levels.map { _ in ShortLinkCache(capacity: memory.maximumUsers, lease: lease) }
        feed = ChangeFeed(hasSnapshots: opening.hasSnapshots, observer: levels)
        levelReader = DatabaseReader("waymark levels", location: location, health: health, timeout: timeouts.level)
        pages = DatabaseReader("waymark reads", location: location, health: health, timeout: timeouts.read)
        // A count that takes too long says nothing about the database.
        let limit = timeouts.count(isServing: isServing)
        counting = DatabaseReader("waymark counts", location: location, health: DatabaseHealth(), timeout: limit)
        writer = DatabaseWriter(
            location,
            health: health,
            rules: DatabaseWriter.Rules(
                limits: historyLimits,
                secrets: opening.secrets,
                hasSnapshots: opening.hasSnapshots,
                clock: clock,
                order: ChangeOrderLog(logger)
            ),
            timeout: timeouts.write,
            feed: feed,
            levels: levels
        )
        if isServing { try await Self.repeating(until: deadline, look) }
    }

    /// Runs a closure of the opening, and runs it again while the database has not responded in time.
    ///
    /// On a busy machine the next attempt may be in time. If there are several servers, it begins with the next one
    /// (`PostgresLocation.words(beginningAt:defaults:)`).
    private static func repeating<Value>(
        until deadline: MonotonicInstant,
        _ body: () async throws -> Value
    ) async throws -> Value {
        while true {
            do {
                return try await body()
            } catch PostgresError.late where MonotonicInstant.now < deadline {
                // For a short time after a failed attempt to connect, all calls fail with its error.
                try await Task.sleep(for: DatabaseSession.pause)
            }
        }
    }

    /// The counts of committed work.
    var counts: DatabaseWriter.Counts { writer.counts }

    /// Whether the last change was refused.
    package var refusesWrites: Bool { writer.writeHealth.refuses }

    /// Makes a write without effect after a refused change, to detect when changes are accepted again.
    package func retryWriting() async {
        guard refusesWrites else { return }
        // A failure is already known.
        _ = try? await make(.save([]))
    }

    /// Searches for external changes now.
    package func look() async throws {
        try await levelReader.run { [feed] connection throws(PostgresError) in
            try feed.look(connection)
        }
    }

    /// Closes the store.
    ///
    /// It must not be used afterwards.
    package func close() {
        writer.close()
        levelReader.close()
        pages.close()
        counting.close()
    }
}

extension PostgresStore: OpenStore, WriteRetrying {
    /// Always `false`.
    ///
    /// Replicas need not take turns, since the database server serves them all.
    package var isServed: Bool { false }

    package func report() throws -> (properties: Logger.Metadata, warnings: [String]) {
        let properties: Logger.Metadata = [
            "database": "\(location.description)", "server": "PostgreSQL \(serverVersion)",
            "changes": feed.hasSnapshots ? "by snapshots" : "by age",
        ]
        return (properties, [])
    }

    package var measures: (logByteCount: Int?, changeFeedAge: Double?) { (nil, levels?.age) }

    package func maintain(_ logger: Logger) async { await PostgresMaintenance(store: self, logger: logger).run() }

    package func explain(_ error: any Error) -> any Error { error }

    package func continuationKeys() async throws -> [[UInt8]] {
        try await pages.run { connection throws(PostgresError) in
            let signing = try DatabaseOpening.secret("continuations", connection: connection)
            // During a key rotation, an operator stores the other key here.
            let others = try connection.run("SELECT value FROM stored_secret WHERE name = 'continuations second'")
            return try [signing] + others.map { row throws(PostgresError) in try row.bytes(0) }
        }
    }
}
