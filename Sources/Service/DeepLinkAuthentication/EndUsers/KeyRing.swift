import Crypto
import DeepLinkCore
import Synchronization

/// The keys in force and the tokens that were verified with them, behind one lock: no token outlives its key.
final class KeyRing: Sendable {
    /// The keys in force, the number of sets before them, and the tokens that were verified with them.
    struct State {
        var keys: KeySet?
        var generation = 0
        var verified: VerifiedTokens

        /// The time at which the keys in force were last read; the creation before the first reading.
        var readAt = ContinuousClock.now
    }

    let state: Mutex<State>

    init(_ verified: VerifiedTokens = VerifiedTokens()) {
        state = Mutex(State(verified: verified))
    }

    /// The number of keys in force, and the time since they were last read.
    var freshness: KeyFreshness {
        state.withLock { KeyFreshness(count: $0.keys?.count ?? 0, age: $0.readAt.duration(to: .now)) }
    }

    /// Notes that the keys in force were read again, unchanged.
    func noteReading() { state.withLock { $0.readAt = .now } }

    /// The keys in force, and how many sets there were before them; `nil` before the first set.
    var current: (keys: KeySet, generation: Int)? {
        state.withLock { state in state.keys.map { ($0, state.generation) } }
    }

    /// Puts a key set in force, and forgets the tokens of the one before.
    func replace(with keys: KeySet) {
        state.withLock { state in
            state.keys = keys
            state.generation += 1
            state.verified.removeAll()
            state.readAt = .now
        }
    }

    /// The user of a token that is remembered; `nil` for any other.
    func user(of digest: SHA256Digest, at time: Timestamp) -> EndUser? {
        state.withLock { $0.verified.user(of: digest, at: time) }
    }

    /// Remembers a token that was verified with the keys of a generation, unless others are in force by now.
    func remember(_ digest: SHA256Digest, of claims: EndUserClaims, at time: Timestamp, generation: Int) {
        state.withLock { state in
            guard state.generation == generation else { return }
            state.verified.insert(digest, of: claims, at: time)
        }
    }
}

/// The number of the keys that verify end users' tokens, and their age.
package struct KeyFreshness: Sendable {
    /// The number of keys; 0 before the first reading has succeeded.
    package let count: Int

    /// The time since the keys were last read with success; since the start before that.
    package let age: Duration
}
