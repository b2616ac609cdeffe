import DeepLinkCore
package import Logging

/// An open store of any kind, with all that the commands and the server need.
package protocol OpenStore: UserStateStore, ServiceTokenStore, ContinuationStore, LevelNameStore, LinkCountStore,
    ShortLinkStore, ShortLinkCheckStore, AuditNameStore
{
    /// Whether a server writes to the same storage beside this process, so that the two must take turns.
    var isServed: Bool { get }

    /// Returns the report for an operator, before the first request.
    func report() throws -> StoreReport

    /// The upgrade of the schema on opening; `nil` for none.
    var upgrade: SchemaUpgrade? { get }

    /// The current measurements of the store.
    var measures: StoreMeasures { get }

    /// Maintains the store while a server runs, until cancelled.
    func maintain(_ logger: Logger) async

    /// Returns an error of a call in terms of the store; an unrelated error is returned unchanged.
    func explain(_ error: any Error) -> any Error

    /// Returns the keys of continuations shared by all servers of the store, the signing key first; none for a store of
    /// a single server, which keeps its own.
    func continuationKeys() async throws -> [[UInt8]]

    /// Closes the store; no call may follow.
    func close() throws
}

extension OpenStore {
    package var measures: StoreMeasures { StoreMeasures() }

    /// Returns no keys, as for a store of a single server.
    package func continuationKeys() async throws -> [[UInt8]] { [] }
}

/// An upgrade of a store's schema.
package struct SchemaUpgrade: Hashable, Sendable {
    /// The step of the schema before, from 1; a new store isn't upgraded.
    package let from: Int

    /// The step of the schema after.
    package let to: Int

    /// The duration, in seconds.
    package let seconds: Double

    /// The path of the copy of before; `nil` without one.
    package let copy: String?

    /// Creates an upgrade; `nil` if the store was new or up to date.
    package init?(from: Int, to: Int, in time: Duration, copy: String? = nil) {
        guard (1..<to).contains(from) else { return nil }
        self.from = from
        self.to = to
        self.copy = copy
        seconds = Double(time.components.seconds) + Double(time.components.attoseconds / 1_000_000_000_000_000) / 1000
    }
}

/// The measurements of a store at a moment; `nil` for those that it doesn't have.
package struct StoreMeasures: Sendable {
    /// The size of the log that is moved into the database file, in bytes.
    package let logByteCount: Int?

    /// The time since the last search for changes by others, in seconds.
    package let changeFeedAge: Double?

    /// Creates measurements from their parts.
    package init(logByteCount: Int? = nil, changeFeedAge: Double? = nil) {
        self.logByteCount = logByteCount
        self.changeFeedAge = changeFeedAge
    }
}

/// The report of a store to an operator, before the first request.
package struct StoreReport: Sendable {
    /// The properties of the store, for the log.
    package let properties: Logger.Metadata

    /// The faults that don't prevent the store's use.
    package let warnings: [String]

    /// Creates a report from its parts.
    package init(properties: Logger.Metadata, warnings: [String]) {
        self.properties = properties
        self.warnings = warnings
    }
}
