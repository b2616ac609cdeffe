import Crypto
import DeepLinkCore

/// A cache of verified tokens by their digests, so that a user's next request needs no signature check.
///
/// Its size is bounded by `TwoGenerations`. Since an entry expires after a minute at most, the oldest entries are the
/// least useful.
struct VerifiedTokens {
    /// The maximum lifetime of an entry, in milliseconds.
    static let lifetime: Int64 = 60_000

    private struct Entry {
        let user: EndUser
        let begin: Timestamp
        let end: Timestamp
    }

    private var entries: TwoGenerations<SHA256Digest, Entry>

    /// Creates a cache of at most `capacity` tokens, an even number.
    init(capacity: Int = 16_384) {
        entries = TwoGenerations(capacity: capacity)
    }

    /// The number of cached tokens.
    var count: Int { entries.count }

    /// Returns the user of a token that was verified at most a minute before a given time and is still valid, or `nil`.
    func user(of digest: SHA256Digest, at time: Timestamp) -> EndUser? {
        // After the clock was set back, an entry may lie in the future. It is ignored.
        guard let entry = entries[digest], entry.begin <= time, time < entry.end else { return nil }
        return entry.user
    }

    /// Caches a token that was verified at a given time.
    mutating func insert(_ digest: SHA256Digest, of claims: EndUserClaims, at time: Timestamp) {
        let lifeEnd = Timestamp(millisecondsSinceEpoch: time.millisecondsSinceEpoch + Self.lifetime)
        entries.insert(Entry(user: claims.user, begin: time, end: min(claims.end, lifeEnd)), for: digest)
    }

    /// Removes all tokens.
    mutating func removeAll() { entries.removeAll() }
}
