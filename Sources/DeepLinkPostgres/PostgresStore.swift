package import DeepLinkCore
import DeepLinkStoring
package import Logging

/// A store of user states, service tokens and continuations in a PostgreSQL database, which any number of replicas share.
///
/// It keeps nothing that matters but in the database. Each of its threads has a connection of its own, made when it is first
/// needed: one for levels and the changes of others, one for all other reads, one for writes, and one for counts of all
/// users, which may take long.
package final class PostgresStore: Sendable {
    /// The purpose for which the database is opened.
    package enum Use: Sendable {
        /// A server: remembers levels.
        case serving

        /// A command or a test; whether it makes the tables where there are none.
        case offline(creating: Bool)
    }

    /// The bounds of what a server answers from memory.
    package struct Memory: Sendable {
        /// The most users whose level is remembered.
        let maximumUsers: Int

        /// How long a change of another replica may stay unseen.
        let maximumStaleness: Duration

        /// For how long levels are answered beyond that while the database is out of reach.
        let staleIfError: Duration

        /// Creates bounds.
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

    /// The time in which a resolve has its level, or none.
    private static let levelTimeout = Duration.seconds(1)

    /// The time in which anything else is read, or not.
    private static let readTimeout = Duration.seconds(3)

    /// The time in which all users are counted for a server's caller: before the connection of one who waits in silence
    /// is closed, which is after 30 seconds.
    private static let countTimeout = Duration.seconds(25)

    /// The same for whoever waits at a terminal.
    private static let offlineCountTimeout = Duration.seconds(3600)

    /// The time in which a database is opened: also the tenth replica to start waits for the migrations of the first.
    private static let openingTimeout = Duration.seconds(30)

    let location: PostgresLocation
    let memory: Memory
    let health = DatabaseHealth()
    let pages: DatabaseReader
    let counting: DatabaseReader
    let levelReader: DatabaseReader
    let feed: ChangeFeed
    let levels: UserLevelCache?
    let maximumAnswerCount: Int
    let secrets: Secrets
    let serverVersion: String
    private let commits: GroupCommit
    private let logger: Logger

    /// Opens a database, and brings its schema up to date.
    ///
    /// - Parameters:
    ///   - location: the database.
    ///   - use: whether a server opens it.
    ///   - memory: the bounds of what a server remembers.
    ///   - historyLimits: how much of each user's history is kept.
    ///   - maximumAnswerCount: the most answers to requests that may be sent again that are kept.
    ///   - countTimeout: the time in which all users are counted; `nil` for that of the use.
    ///   - usesSnapshots: whether changes of others are found by PostgreSQL's snapshots, where the server has them; else
    ///     by age.
    ///   - logger: hears of what is lost and comes back.
    /// - Throws: ``PostgresError``.
    package init(
        _ location: PostgresLocation,
        use: Use = .offline(creating: true),
        memory: Memory = Memory(),
        historyLimits: UserHistoryLimits = UserHistoryLimits(),
        maximumAnswerCount: Int = 250_000,
        countTimeout: Duration? = nil,
        usesSnapshots: Bool = true,
        logger: Logger = Logger(label: "waymark") { _ in SwiftLogNoOpLogHandler() }
    ) async throws {
        self.location = location
        self.memory = memory
        self.logger = logger
        self.maximumAnswerCount = maximumAnswerCount
        let (isServing, creates) =
            switch use {
            case .serving: (true, true)
            case .offline(let creating): (false, creating)
            }
        let none = Secrets(erasureKey: [])
        let opener = DatabaseReader("waymark opening", location, health, timeout: Self.openingTimeout, none)
        defer { opener.close() }
        let opening = try await opener.run { connection, deadline throws(PostgresError) in
            try DatabaseOpening(connection, creates: creates, usesSnapshots: usesSnapshots, until: deadline)
        }
        secrets = opening.secrets
        serverVersion = opening.serverVersion
        levels =
            isServing && memory.maximumUsers > 0
            ? UserLevelCache(
                capacity: memory.maximumUsers,
                lease: max(memory.maximumStaleness - .milliseconds(100), .milliseconds(100)),
                keepsFormer: memory.staleIfError > .zero
            ) : nil
        feed = ChangeFeed(hasSnapshots: opening.hasSnapshots, observer: levels)
        levelReader = DatabaseReader("waymark levels", location, health, timeout: Self.levelTimeout, opening.secrets)
        pages = DatabaseReader("waymark reads", location, health, timeout: Self.readTimeout, opening.secrets)
        counting = DatabaseReader(
            "waymark counts",
            location,
            // What takes too long for a count says nothing of the database.
            DatabaseHealth(),
            timeout: countTimeout ?? (isServing ? Self.countTimeout : Self.offlineCountTimeout),
            opening.secrets
        )
        commits = GroupCommit(
            location,
            health,
            GroupCommit.Rules(
                limits: historyLimits,
                secrets: opening.secrets,
                hasSnapshots: opening.hasSnapshots
            ),
            feed,
            levels
        )
        if isServing { try await look() }
    }

    /// What was committed so far.
    var counts: GroupCommit.Counts { commits.counts }

    /// Looks for changes of others now.
    package func look() async throws {
        try await levelReader.run { [feed] connection, deadline throws(PostgresError) in
            try feed.look(connection, until: deadline)
        }
    }

    /// Makes a change.
    func make(_ change: Change) async throws -> ChangeOutcome { try await commits.make(change) }

    /// Closes the store; no call may follow.
    package func close() {
        commits.close()
        levelReader.close()
        pages.close()
        counting.close()
    }
}
