import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import DeepLinkStorage
import HTTPServer
import Synchronization

/// The rate limits of callers, counted separately for each service token, person, end user, and address without
/// credentials.
///
/// Addresses also have a limit of refused credentials and a limit of pages.
///
/// A caller may send a second's worth of requests at once, and then one at each interval (the generic cell rate
/// algorithm, ITU-T I.371 §A.1). Each caller takes one number, under a keyed digest of its identity, in
/// ``TwoGenerations``, so that invented callers take no more memory than others. A dropped caller starts afresh, as does
/// a caller that was silent for a second.
package final class CallerLimits: Sendable {
    /// The default rate for callers without credentials, and for refused credentials, in requests a second.
    package static let anonymousRate = 20

    /// The kinds of requests that are counted separately.
    private enum Kind: Hashable {
        case service(ServiceTokenID)
        case person(String)
        case endUser(UserID)
        case anonymous(CallerAddress?)
        case refused(CallerAddress?)
        case page(CallerAddress?)

        /// The limit that these requests can exceed.
        var limit: LimitRefusals.Limit {
            switch self {
            case .service, .person, .endUser, .anonymous: .caller
            case .refused: .credentials
            case .page: .pages
            }
        }
    }

    /// The maximum time that a caller may be ahead: one second, in microseconds.
    private static let second: Int64 = 1_000_000

    private let rate: Int?
    private let addressRate: Int?
    private let pageRate: Int?
    private let refusals: LimitRefusals

    /// The times, in microseconds, from which a caller may send a second's worth again.
    private let times: Mutex<TwoGenerations<Int, Int64>>

    /// Creates unused limits.
    ///
    /// A rate of `nil` is unlimited.
    ///
    /// - Parameters:
    ///   - rate: the maximum number of requests a second of callers with credentials, and of each address on an open
    ///     server.
    ///   - addressRate: the maximum for each address without credentials, and for its refused credentials.
    ///   - pageRate: the maximum number of pages a second of each address.
    ///   - capacity: the maximum number of distinguished callers, an even number.
    ///   - refusals: the counts of refused requests.
    package init(
        rate: Int?,
        addressRate: Int?,
        pageRate: Int? = nil,
        capacity: Int = 131_072,
        refusals: LimitRefusals = LimitRefusals()
    ) {
        self.rate = rate
        self.addressRate = addressRate
        self.pageRate = pageRate
        self.refusals = refusals
        times = Mutex(TwoGenerations(capacity: capacity))
    }

    /// The current number of counted callers.
    var count: Int { times.withLock(\.count) }

    /// Counts a request of a caller.
    ///
    /// - Parameters:
    ///   - caller: the sender.
    ///   - address: returns the address that identifies a caller without an identity.
    ///   - time: the current time.
    /// - Throws: `Problem` with the code `too-many-requests` if the limit is exceeded. The request is then not counted.
    func admit(_ caller: Caller, from address: () -> CallerAddress?, at time: Timestamp) throws(Problem) {
        switch caller {
        case .service(let id, _), .granter(let id, _): if let rate { try count(.service(id), by: rate, at: time) }
        case .person(let person): if let rate { try count(.person(person.subject), by: rate, at: time) }
        case .endUser(let user): if let rate { try count(.endUser(user.id), by: rate, at: time) }
        case .anonymous: if let addressRate { try count(.anonymous(address()), by: addressRate, at: time) }
        case .anyone: if let rate { try count(.anonymous(address()), by: rate, at: time) }
        }
    }

    /// Counts a request for a page.
    ///
    /// - Returns: whether the address may have the page. If not, the request is not counted.
    func admitsPage(from address: () -> CallerAddress?, at time: Timestamp) -> Bool {
        guard let pageRate else { return true }
        return isDue(.page(address()), by: pageRate, at: time, counts: true)
    }

    /// Checks that an address has not exceeded its limit of refused credentials, before more are verified at some cost.
    ///
    /// - Throws: `Problem` with the code `too-many-requests`.
    func checkRefusals(from address: () -> CallerAddress?, at time: Timestamp) throws(Problem) {
        guard let addressRate else { return }
        guard isDue(.refused(address()), by: addressRate, at: time, counts: false) else {
            throw .tooManyRefusals(addressRate)
        }
    }

    /// Counts refused credentials.
    ///
    /// - Throws: `Problem` with the code `too-many-requests` if the limit is exceeded. They are then not counted.
    func countRefusal(from address: () -> CallerAddress?, at time: Timestamp) throws(Problem) {
        guard let addressRate else { return }
        guard isDue(.refused(address()), by: addressRate, at: time, counts: true) else {
            throw .tooManyRefusals(addressRate)
        }
    }

    private func count(_ kind: Kind, by rate: Int, at time: Timestamp) throws(Problem) {
        guard isDue(kind, by: rate, at: time, counts: true) else { throw .tooManyRequests(rate) }
    }

    /// Returns whether a request is within its rate.
    ///
    /// It is counted if `counts` is set, and counted as refused if it is not within the rate.
    private func isDue(_ kind: Kind, by rate: Int, at time: Timestamp, counts: Bool) -> Bool {
        // The digest is unpredictable outside the process.
        let key = kind.hashValue
        let (interval, now) = (Self.second / Int64(rate), time.millisecondsSinceEpoch &* 1000)
        let isDue = times.withLock { times in
            var due = times[key] ?? now
            // After the clock was set back, a time may lie in the future that no requests have used up.
            if due < now || due > now + Self.second + interval { due = now }
            guard due + interval <= now + Self.second else { return false }
            guard counts else { return true }
            times.insert(due + interval, for: key)
            return true
        }
        if !isDue { refusals.note(kind.limit) }
        return isDue
    }
}
