package import DeepLinkCore
package import Logging

/// A store that is open, whatever keeps it: all that the commands and the server ask of one.
package protocol OpenStore: UserStateStore, ServiceTokenStore, ContinuationStore {
    /// Whether a server writes to what is stored beside this process, and needs turns.
    var isServed: Bool { get }

    /// Returns what an operator should know of the store before the first request.
    func report() throws -> StoreReport

    /// What is measured of the store at this moment.
    var measures: StoreMeasures { get }

    /// Does what the store needs while a server runs, until it is cancelled.
    func maintain(_ logger: Logger) async

    /// Returns what an error of a call means for the store; an error that says nothing of it stays as it is.
    func explain(_ error: any Error) -> any Error

    /// Returns the key of continuations that all servers of the store share; `nil` where there is but one, which keeps its
    /// own.
    func continuationKey() async throws -> [UInt8]?

    /// Closes the store; no call may follow.
    func close() throws
}

extension OpenStore {
    package var measures: StoreMeasures { StoreMeasures() }

    /// Returns none, as the store of one server does.
    package func continuationKey() async throws -> [UInt8]? { nil }
}

/// What is measured of a store at a moment; `nil` stands for what it does not have.
package struct StoreMeasures: Sendable {
    /// The size of the log that is moved into the database file, in bytes.
    package let logByteCount: Int?

    /// The time since the last look for changes of others, in seconds.
    package let changeFeedAge: Double?

    /// Creates measures from their parts.
    package init(logByteCount: Int? = nil, changeFeedAge: Double? = nil) {
        self.logByteCount = logByteCount
        self.changeFeedAge = changeFeedAge
    }
}

/// The report of a store to an operator, before the first request.
package struct StoreReport: Sendable {
    /// The properties of the store, for the log.
    package let properties: Logger.Metadata

    /// The faults of the store although it can be used.
    package let warnings: [String]

    /// Creates a report from its parts.
    package init(properties: Logger.Metadata, warnings: [String]) {
        self.properties = properties
        self.warnings = warnings
    }
}
