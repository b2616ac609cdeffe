package import Crypto
import DeepLinkCore
package import DeepLinkStorage
import Synchronization

/// The service tokens, checked against a copy in memory that ``refresh()`` renews.
///
/// With the copy, a request needs no read of the database. It is renewed often enough that a revocation applies within
/// a second.
package final class ServiceTokens: Sendable {
    private struct State {
        var tokens: [ServiceTokenID: ServiceToken] = [:]

        /// Whether a token was ever created.
        ///
        /// From then on, the server cannot be open to everyone.
        var areConfigured = false

        /// The days of use not yet stored, at most one for each token.
        var unwrittenUses: [ServiceTokenID: CountedDay] = [:]
    }

    /// The digest that an unknown token is compared with.
    ///
    /// No known text has it.
    private static let unknown = Array(SHA256.hash(data: Array(ServiceTokenText().text.utf8)))

    private let store: any ServiceTokenStore
    private let state = Mutex(State())
    private let refreshes = Atomic(0)

    /// Creates the copy from the stored tokens.
    ///
    /// - Throws: the store's errors.
    package convenience init(_ store: any ServiceTokenStore) async throws {
        self.init(store, holding: try await store.serviceTokens())
    }

    /// Creates the copy from tokens already read.
    package init(_ store: any ServiceTokenStore, holding tokens: [ServiceToken]) {
        self.store = store
        take(tokens)
    }

    /// Reads the stored tokens again.
    ///
    /// - Throws: the store's errors. The previous copy then remains in use.
    package func refresh() async throws {
        take(try await store.serviceTokens())
    }

    private func take(_ tokens: [ServiceToken]) {
        let tokens = Dictionary(tokens.map { ($0.id, $0) }) { first, _ in first }
        state.withLock { state in
            state.tokens = tokens
            state.areConfigured = state.areConfigured || !tokens.isEmpty
        }
        refreshes.add(1, ordering: .releasing)
    }

    /// The number of renewals of the copy.
    ///
    /// A result derived from the copy is valid while this number is unchanged.
    package var generation: Int { refreshes.load(ordering: .acquiring) }

    /// Whether any token was ever created, usable or not.
    package var areConfigured: Bool { state.withLock { $0.areConfigured } }

    /// Returns the note of a token, or `nil` if it is unknown.
    package func note(of id: ServiceTokenID) -> String? { state.withLock { $0.tokens[id]?.note } }

    /// Stores the days of use recorded since the last call.
    ///
    /// - Throws: the store's errors. The days are kept for the next call.
    package func writeUses() async throws {
        let uses = state.withLock { state in
            defer { state.unwrittenUses = [:] }
            return state.unwrittenUses
        }
        guard !uses.isEmpty else { return }
        do {
            try await store.noteUses(uses)
            // Avoids storing the same use again until the copy is renewed.
            state.withLock { state in
                for (id, day) in uses { state.tokens[id] = state.tokens[id]?.used(on: day) }
            }
        } catch {
            state.withLock { $0.unwrittenUses.merge(uses) { max($0, $1) } }
            throw error
        }
    }

    /// Records the use of a valid token once a day.
    ///
    /// Otherwise the cost is a comparison.
    private func noteUse(of token: ServiceToken, at time: Timestamp) {
        let day = CountedDay(of: time)
        guard token.lastUsed.map({ $0 < day }) ?? true else { return }
        state.withLock { $0.unwrittenUses[token.id] = day }
    }

    /// Returns the service token with a text if it is valid at a time, and records its use.
    ///
    /// The digests are compared in constant time, and an unknown id costs as much as a wrong secret.
    func token(_ text: ServiceTokenText, at time: Timestamp) -> ServiceToken? {
        let token = state.withLock { $0.tokens[text.id] }
        let isRight = text.digest == token?.digest ?? Self.unknown
        guard isRight, let token, token.isUsable(at: time) else { return nil }
        noteUse(of: token, at: time)
        return token
    }
}

/// The text of a service token, `wm_<id>_<secret><checksum>`.
///
/// Its holder sends it, and it is never stored.
///
/// The secret has 256 random bits, and the checksum is the CRC-32 of everything before it. Both are in base 62 and of
/// fixed length. Prefix and checksum let scanners find leaked tokens with hardly a false alarm.
package struct ServiceTokenText: Sendable {
    /// The prefix of every token.
    package static let prefix = "wm_"

    /// 62^6 is more than 2^32.
    private static let checksumCount = 6

    /// The id of the token, part of its text.
    package let id: ServiceTokenID

    /// The whole token.
    package let text: String

    /// Creates a random token, from the system's source of randomness.
    package init() {
        id = ServiceTokenID()
        let body = "\(Self.prefix)\(id.text)_\(RandomText.secret())"
        text = body + String(decoding: Self.checksum(body.utf8), as: UTF8.self)
    }

    /// Reads a token, or returns `nil` if the text is not a valid token, for example because of a mistyped character.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        let parts = bytes.split(separator: UInt8(ascii: "_"), maxSplits: 2, omittingEmptySubsequences: false)
        guard bytes.starts(with: Self.prefix.utf8), parts.count == 3,
            let id = ServiceTokenID(String(decoding: parts[1], as: UTF8.self)),
            parts[2].count == RandomText.secretCount + Self.checksumCount
        else { return nil }
        guard bytes.suffix(Self.checksumCount).elementsEqual(Self.checksum(bytes.dropLast(Self.checksumCount))) else {
            return nil
        }
        self.id = id
        self.text = text
    }

    /// The digest by which the store identifies the token.
    package var digest: SHA256.Digest { SHA256.hash(data: Array(text.utf8)) }

    /// The CRC-32 of bytes (ISO/IEC 13239, as in gzip, RFC 1952 §8), in base 62.
    private static func checksum(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var remainder = UInt32.max
        for byte in bytes {
            remainder ^= UInt32(byte)
            for _ in 0..<8 { remainder = remainder >> 1 ^ (remainder & 1) * 0xEDB8_8320 }
        }
        var value = ~remainder
        var text = [UInt8](repeating: RandomText.base62[0], count: checksumCount)
        for position in text.indices.reversed() {
            text[position] = RandomText.base62[Int(value % 62)]
            value /= 62
        }
        return text
    }
}
