import Crypto
import DeepLinkCore
import Synchronization

/// The current keys and the tokens verified with them, behind one lock: no cached token outlives its key.
final class KeyRing: Sendable {
    /// The current keys, the number of earlier sets, and the tokens verified with the current ones.
    struct State {
        var keys: KeySet?
        var generation = 0
        var verified: VerifiedTokens

        /// The time at which the current keys were last read, or the creation time before the first reading.
        var readAt = ContinuousClock.now
    }

    let state: Mutex<State>

    init(_ verified: VerifiedTokens = VerifiedTokens()) {
        state = Mutex(State(verified: verified))
    }

    /// The number of current keys, and the time since they were last read.
    var freshness: KeyFreshness {
        state.withLock { KeyFreshness(count: $0.keys?.count ?? 0, age: $0.readAt.duration(to: .now)) }
    }

    /// Records that the current keys were read again, unchanged.
    func noteReading() { state.withLock { $0.readAt = .now } }

    /// The current keys, and the number of earlier sets, or `nil` before the first set.
    var current: (keys: KeySet, generation: Int)? {
        state.withLock { state in state.keys.map { ($0, state.generation) } }
    }

    /// Replaces the key set, and removes the tokens verified with the previous one.
    func replace(with keys: KeySet) {
        state.withLock { state in
            state.keys = keys
            state.generation += 1
            state.verified.removeAll()
            state.readAt = .now
        }
    }

    /// Returns the user of a cached token, or `nil` if it is not cached.
    func user(of digest: SHA256Digest, at time: Timestamp) -> EndUser? {
        state.withLock { $0.verified.user(of: digest, at: time) }
    }

    /// Caches a token verified with the keys of a generation, unless they were replaced in the meantime.
    func remember(_ digest: SHA256Digest, of claims: EndUserClaims, at time: Timestamp, generation: Int) {
        state.withLock { state in
            guard state.generation == generation else { return }
            state.verified.insert(digest, of: claims, at: time)
        }
    }
}

/// The number of the keys that verify end users' tokens, and their age.
package struct KeyFreshness: Sendable {
    /// The number of keys, or 0 until a reading succeeds.
    package let count: Int

    /// The time since the keys were last read successfully, or since the start if they never were.
    package let age: Duration
}
