import Crypto
import DeepLinkCore

/// A cache of verified tokens by their digests, so that a user's next request needs no signature check.
///
/// Its size is bounded by two tables. When the newer one is full, the older one is dropped. Since an entry expires
/// after a minute at most, the oldest entries are the least useful.
struct VerifiedTokens {
    /// The maximum lifetime of an entry, in milliseconds.
    static let lifetime: Int64 = 60_000

    private struct Entry {
        let user: EndUser
        let begin: Timestamp
        let end: Timestamp
    }

    private let tableSize: Int
    private var newer: [SHA256Digest: Entry] = [:]
    private var older: [SHA256Digest: Entry] = [:]

    /// Creates a cache of at most `capacity` tokens, an even number.
    init(capacity: Int = 16_384) {
        tableSize = capacity / 2
    }

    /// The number of cached tokens.
    var count: Int { newer.count + older.count }

    /// Returns the user of a token that was verified at most a minute before a given time and is still valid, or `nil`.
    func user(of digest: SHA256Digest, at time: Timestamp) -> EndUser? {
        // After the clock was set back, an entry may lie in the future. It is ignored.
        guard let entry = newer[digest] ?? older[digest], entry.begin <= time, time < entry.end else { return nil }
        return entry.user
    }

    /// Caches a token that was verified at a given time.
    mutating func insert(_ digest: SHA256Digest, of claims: EndUserClaims, at time: Timestamp) {
        let lifeEnd = Timestamp(millisecondsSinceEpoch: time.millisecondsSinceEpoch + Self.lifetime)
        older[digest] = nil
        newer[digest] = Entry(user: claims.user, begin: time, end: min(claims.end, lifeEnd))
        guard newer.count >= tableSize else { return }
        older = newer
        newer = [:]
    }

    /// Removes all tokens.
    mutating func removeAll() {
        newer = [:]
        older = [:]
    }
}
