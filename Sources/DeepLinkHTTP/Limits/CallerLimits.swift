import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import Synchronization

/// The most requests a second of each caller: of a service token, of an end user, and without credentials of an address.
///
/// A caller may send a second's worth at once, and then one request each time that one is due (the generic cell rate
/// algorithm, ITU-T I.371 §A.1). Of each there is one number, under a keyed digest of who it is: two tables, the older of
/// which is dropped when the newer is full, so that callers who do not exist take no more memory than others. Who is
/// dropped begins anew, as does whoever has sent nothing for a second.
package final class CallerLimits: Sendable {
    /// The rate for callers without credentials, where nothing else is set.
    package static let anonymousRate = 20

    /// The times, in microseconds, from which on a caller may send a second's worth again.
    private struct Times {
        var newer: [Int: Int64] = [:]
        var older: [Int: Int64] = [:]
    }

    /// The second that a caller may be ahead, in microseconds.
    private static let second: Int64 = 1_000_000

    private let rate: Int?
    private let addressRate: Int
    private let tableSize: Int
    private let times: Mutex<Times>

    /// Creates limits of which nothing is used.
    ///
    /// - Parameters:
    ///   - rate: the most requests a second of callers with credentials; `nil` for any number.
    ///   - addressRate: the most of each address without credentials.
    ///   - capacity: how many callers are told apart at most, an even number.
    package init(rate: Int?, addressRate: Int, capacity: Int = 131_072) {
        self.rate = rate
        self.addressRate = addressRate
        tableSize = capacity / 2
        times = Mutex(Times())
    }

    /// How many callers there are numbers of.
    var count: Int { times.withLock { $0.newer.count + $0.older.count } }

    /// Counts a request of a caller.
    ///
    /// - Parameters:
    ///   - caller: who sends it.
    ///   - address: the address that counts where nobody is named.
    ///   - time: the present.
    /// - Throws: `Problem` of code `too-many-requests`, where there were too many; then it is not counted.
    func admit(_ caller: Caller, from address: () -> CallerAddress?, at time: Timestamp) throws(Problem) {
        guard let rate = rate(of: caller) else { return }
        guard isDue(key(of: caller, address), Self.second / Int64(rate), time.millisecondsSinceEpoch &* 1000) else {
            throw .tooManyRequests(rate)
        }
    }

    /// The most requests a second of a caller; `nil` for any number.
    private func rate(of caller: Caller) -> Int? {
        switch caller {
        case .service, .endUser: rate
        case .anonymous, .anyone: addressRate
        }
    }

    /// The digest of who a caller is, which nobody outside the process can foresee.
    private func key(of caller: Caller, _ address: () -> CallerAddress?) -> Int {
        var hasher = Hasher()
        switch caller {
        case .service(let id, _):
            hasher.combine(0)
            hasher.combine(id)
        case .endUser(let user):
            hasher.combine(1)
            hasher.combine(user.id)
        case .anonymous, .anyone:
            hasher.combine(2)
            hasher.combine(address())
        }
        return hasher.finalize()
    }

    /// Counts a request under a key, unless it comes too early.
    private func isDue(_ key: Int, _ interval: Int64, _ now: Int64) -> Bool {
        times.withLock { times in
            var due = times.newer[key] ?? times.older[key] ?? now
            // A clock that was set back makes a time of the future that nobody has used up.
            if due < now || due > now + Self.second + interval { due = now }
            guard due + interval <= now + Self.second else { return false }
            times.newer[key] = due + interval
            if times.newer.count >= tableSize {
                times.older = times.newer
                times.newer = [:]
            }
            return true
        }
    }
}
