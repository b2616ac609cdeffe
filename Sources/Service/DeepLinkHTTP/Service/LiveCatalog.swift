package import DeepLinkCore
import DeepLinkFormats
package import DeepLinkStorage
import HTTPServer
import NIOCore
import Synchronization

/// The current catalog.
///
/// It is replaced as a whole while requests are answered.
///
/// A responder reads ``current`` once for each request, so that no response mixes two catalogs.
package final class LiveCatalog: Sendable {
    private struct State {
        var catalog: RouteCatalog
        var document: SharedDocument
        var linkSite: LinkSite
        var refusal: String?
        var renames: [LevelRename] = []
    }

    private let state: Mutex<State>
    private let replacements = Atomic(0)
    private let wantedBits: Atomic<UInt8>

    /// Creates the holder of a catalog.
    package init(_ catalog: RouteCatalog) {
        wantedBits = Atomic(RequestFields.Wanted(by: catalog).rawValue)
        state = Mutex(State(catalog: catalog, document: Self.document(of: catalog), linkSite: LinkSite(catalog)))
    }

    /// Writes the body of `GET /v1/catalog` once, when a catalog becomes the current one.
    ///
    /// For 100,000 routes it has 14 MB.
    private static func document(of catalog: RouteCatalog) -> SharedDocument {
        SharedDocument(ByteBuffer(bytes: CatalogBody(catalog).json), version: catalog.version)
    }

    /// The catalog that new requests are resolved against.
    package var current: RouteCatalog { state.withLock { $0.catalog } }

    /// The document of the current catalog.
    var document: SharedDocument { state.withLock { $0.document } }

    /// The association files and pages of the current catalog.
    var linkSite: LinkSite { state.withLock { $0.linkSite } }

    /// The header fields that have a meaning in the current catalog.
    var wantedFields: RequestFields.Wanted { RequestFields.Wanted(rawValue: wantedBits.load(ordering: .relaxed)) }

    /// The number of replacements of the catalog.
    ///
    /// A result derived from ``current`` is valid while this number, read before it, is unchanged.
    var generation: Int { replacements.load(ordering: .acquiring) }

    /// The reason why the newest version of the file was refused, or `nil` if it is the current one.
    package var refusal: String? { state.withLock { $0.refusal } }

    /// Replaces the catalog.
    package func replace(with catalog: RouteCatalog) {
        let document = Self.document(of: catalog)
        let linkSite = LinkSite(catalog)
        wantedBits.store(RequestFields.Wanted(by: catalog).rawValue, ordering: .relaxed)
        state.withLock {
            let renames = $0.renames
            $0 = State(catalog: catalog.reading(renames), document: document, linkSite: linkSite, renames: renames)
        }
        replacements.add(1, ordering: .releasing)
    }

    /// Returns the levels of a catalog that also accept the names given by renames in the database.
    package func levels(of catalog: RouteCatalog) -> LevelLadder {
        state.withLock { $0.renames.isEmpty ? catalog.levels : catalog.levels.reading($0.renames) }
    }

    /// Returns the names of a catalog's levels and grants, including the names to which levels were renamed in the
    /// database.
    package func names(of catalog: RouteCatalog) -> AccessNames {
        AccessNames(levels: levels(of: catalog), grants: GrantNames(of: catalog))
    }

    /// Lets the current catalog, and later ones, accept the names to which levels were renamed in the database.
    ///
    /// - Returns: Whether the current catalog now accepts other names.
    @discardableResult
    package func read(_ renames: [LevelRename]) -> Bool {
        let isOther = state.withLock { state in
            let catalog = state.catalog.reading(renames)
            defer { (state.catalog, state.renames) = (catalog, renames) }
            return catalog !== state.catalog
        }
        if isOther { replacements.add(1, ordering: .releasing) }
        return isOther
    }

    /// Records that the newest version of the file cannot be used, so that the current catalog remains.
    package func refuse(_ reason: String) {
        state.withLock { $0.refusal = reason }
    }
}

extension RequestFields.Wanted {
    /// Creates the set of fields that have a meaning in a catalog.
    fileprivate init(by catalog: RouteCatalog) {
        let app: Self = catalog.dependsOnApps ? .app : .none
        self = app.union(catalog.takesAssertions ? .holds : .none)
    }
}

/// A cache of values whose keys come again, for one catalog.
///
/// A value is worth caching when its key comes a second time. A key that comes twice replaces another in its slot, so
/// that memory is bounded. With another catalog, the cache is empty.
final class RepeatCache<Value: Sendable>: Sendable {
    /// The cache's result for a key.
    enum Lookup {
        /// The value is cached.
        case known(Value)

        /// The key came before, so its value is worth caching.
        case again

        /// The key is new, or another came in between.
        case new
    }

    private struct Slot {
        /// The hash of the key that came last.
        var last = 0

        var key: [UInt8] = []
        var value: Value?
    }

    private struct Slots {
        var catalog: RouteCatalog?
        var slots: [Slot] = []
    }

    /// A part of the slots, so that event loops rarely wait for each other.
    private final class Shard: Sendable {
        let slots = Mutex(Slots())
    }

    private static var shardCount: Int { 8 }

    private let shards: [Shard]
    private let slotCount: Int
    private let maximumKeyByteCount: Int
    private let hash = SeededHash()

    /// Creates an empty cache.
    ///
    /// - Parameters:
    ///   - capacity: the maximum number of values, a power of two from 8 on.
    ///   - maximumKeyByteCount: the maximum length of a cached value's key, in bytes.
    init(capacity: Int, maximumKeyByteCount: Int) {
        shards = (0..<Self.shardCount).map { _ in Shard() }
        slotCount = capacity / Self.shardCount
        self.maximumKeyByteCount = maximumKeyByteCount
    }

    /// Finds the value of a key, and records that the key came.
    ///
    /// - Complexity: linear in the key's bytes, up to the maximum, and constant for longer keys.
    func find(_ key: Span<UInt8>, in catalog: RouteCatalog) -> Lookup {
        guard key.count <= maximumKeyByteCount else { return .new }
        let hash = hash(key)
        if let finding = lookup(key, hash: hash, in: catalog) { return finding }
        begin(with: catalog)
        return lookup(key, hash: hash, in: catalog) ?? .new
    }

    /// Caches the value of a key that came before, unless another catalog has become the current one.
    ///
    /// - Parameters:
    ///   - key: the key.
    ///   - catalog: the catalog that the value belongs to.
    ///   - value: returns the new value in place of the cached one.
    func keep(_ key: [UInt8], in catalog: RouteCatalog, value: (Value?) -> Value) {
        let hash = hash(key.span)
        shard(hash).slots
            .withLock { shard in
                guard shard.catalog === catalog else { return }
                let place = place(hash)
                let isKnown = shard.slots[place].key.hasSameBytes(as: key.span)
                let value = value(isKnown ? shard.slots[place].value : nil)
                shard.slots[place].key = key
                shard.slots[place].value = value
            }
    }

    /// Returns the result for a key, or `nil` if the cache belongs to another catalog.
    private func lookup(_ key: Span<UInt8>, hash: Int, in catalog: RouteCatalog) -> Lookup? {
        shard(hash).slots
            .withLock { shard in
                guard shard.catalog === catalog else { return nil }
                let place = place(hash)
                if let value = shard.slots[place].value, shard.slots[place].key.hasSameBytes(as: key) {
                    return .known(value)
                }
                guard shard.slots[place].last != hash else { return .again }
                shard.slots[place].last = hash
                return .new
            }
    }

    /// Removes all values, since another catalog is the current one, and the former must not be kept in memory.
    private func begin(with catalog: RouteCatalog) {
        for shard in shards {
            shard.slots.withLock { slots in
                guard slots.catalog !== catalog else { return }
                slots = Slots(catalog: catalog, slots: Array(repeating: Slot(), count: slotCount))
            }
        }
    }

    private func shard(_ hash: Int) -> Shard { shards[hash & (Self.shardCount - 1)] }

    private func place(_ hash: Int) -> Int { (hash >> 8) & (slotCount - 1) }
}

/// A hash of bytes that is unpredictable, since its seed is random for each value.
///
/// Each step multiplies eight bytes, mixed with all previous ones, and folds the product. It serves caches in which
/// keys with equal hashes merely replace each other, and has neither the strength nor the cost of `Hasher`.
struct SeededHash: Sendable {
    private static let factor: UInt64 = 0x9E37_79B9_7F4A_7C15

    private let seed = UInt64.random(in: 0 ... .max)

    /// Returns the hash of bytes.
    ///
    /// - Complexity: linear in the bytes.
    func callAsFunction(_ bytes: Span<UInt8>) -> Int {
        let words = bytes.bytes
        var hash = seed ^ UInt64(bytes.count)
        var index = 0
        while index &+ 8 <= bytes.count {
            hash = Self.mixed(hash, words.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
            index &+= 8
        }
        var rest: UInt64 = 0
        while index < bytes.count {
            rest = rest << 8 | UInt64(bytes[index])
            index &+= 1
        }
        return Int(truncatingIfNeeded: Self.mixed(Self.mixed(hash, rest), seed))
    }

    @inline(__always)
    private static func mixed(_ hash: UInt64, _ word: UInt64) -> UInt64 {
        let product = (hash ^ word).multipliedFullWidth(by: factor)
        return product.high ^ product.low
    }
}
