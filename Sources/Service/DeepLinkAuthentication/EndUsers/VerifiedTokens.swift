import Crypto
import DeepLinkCore

/// The tokens that were verified, by their digests, so that the next request of a user costs no signature.
///
/// It holds a bounded number of them: two tables, the older of which is dropped when the newer is full. Since an
/// entry lives for a minute at most, the oldest are those that are of least use.
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

    /// Creates a memory of at most `capacity` tokens, an even number.
    init(capacity: Int = 16_384) {
        tableSize = capacity / 2
    }

    /// The number of tokens that are remembered.
    var count: Int { newer.count + older.count }

    /// The user of a token that was verified at most a minute before a moment and is valid then.
    func user(of digest: SHA256Digest, at time: Timestamp) -> EndUser? {
        // A clock that was set back makes an entry of the future; it says nothing of now.
        guard let entry = newer[digest] ?? older[digest], entry.begin <= time, time < entry.end else { return nil }
        return entry.user
    }

    /// Remembers a token that was verified at a moment.
    mutating func insert(_ digest: SHA256Digest, of claims: EndUserClaims, at time: Timestamp) {
        let lifeEnd = Timestamp(millisecondsSinceEpoch: time.millisecondsSinceEpoch + Self.lifetime)
        older[digest] = nil
        newer[digest] = Entry(user: claims.user, begin: time, end: min(claims.end, lifeEnd))
        guard newer.count >= tableSize else { return }
        older = newer
        newer = [:]
    }

    /// Forgets all tokens.
    mutating func removeAll() {
        newer = [:]
        older = [:]
    }
}
