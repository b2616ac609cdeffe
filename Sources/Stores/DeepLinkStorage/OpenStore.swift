import DeepLinkCore
package import Logging

/// An open store of any kind, with the interfaces that the commands and the server need.
package protocol OpenStore: UserStateStore, ServiceTokenStore, ContinuationStore, LevelNameStore, LinkCountStore,
    ShortLinkStore, ShortLinkCheckStore, AuditNameStore
{
    /// Whether a server writes to the same storage beside this process, so that the two must take turns.
    var isServed: Bool { get }

    /// Returns the properties of the store for the log, before the first request, and the faults that don't prevent its
    /// use.
    func report() throws -> (properties: Logger.Metadata, warnings: [String])

    /// The upgrade of the schema on opening, or `nil` if there was none.
    var upgrade: SchemaUpgrade? { get }

    /// The size of the write-ahead log that is checkpointed into the database file, in bytes, and the time since the
    /// last search for external changes, in seconds. Each is `nil` for a store that lacks it.
    var measures: (logByteCount: Int?, changeFeedAge: Double?) { get }

    /// Maintains the store while a server runs, until cancelled.
    func maintain(_ logger: Logger) async

    /// Returns an error of a call with an explanation specific to the store. An unrelated error is returned unchanged.
    func explain(_ error: any Error) -> any Error

    /// Returns the keys of continuations that all servers of the store share, the signing key first. Empty for a store
    /// of a single server, which has its own keys.
    func continuationKeys() async throws -> [[UInt8]]

    /// Closes the store. It must not be used afterwards.
    func close() throws
}

extension OpenStore {
    /// Returns no keys, as for a store of a single server.
    package func continuationKeys() async throws -> [[UInt8]] { [] }
}

/// An upgrade of a store's schema.
package struct SchemaUpgrade: Hashable, Sendable {
    /// The schema version before, from 1.
    ///
    /// Creating a new store is not an upgrade.
    package let from: Int

    /// The schema version after.
    package let to: Int

    /// The duration, in seconds.
    package let seconds: Double

    /// The path of the copy from before the upgrade, or `nil` if there is none.
    package let copy: String?

    /// Creates an upgrade, or `nil` if the store was new or up to date.
    package init?(from: Int, to: Int, in time: Duration, copy: String? = nil) {
        guard (1..<to).contains(from) else { return nil }
        self.from = from
        self.to = to
        self.copy = copy
        seconds = Double(time.components.seconds) + Double(time.components.attoseconds / 1_000_000_000_000_000) / 1000
    }
}
