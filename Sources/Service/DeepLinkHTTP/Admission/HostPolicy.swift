package import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import DeepLinkStorage
import HTTPServer
import NIOCore
import Synchronization

/// The rule for the `Host` of a request.
///
/// It denies access to a web page with a host name that was made to resolve to this server (DNS rebinding).
struct HostPolicy {
    private let catalog: RouteCatalog

    /// Whether callers are not authenticated, so that only the host check protects the API from web pages.
    private let callersAreUnknown: Bool

    /// Whether the API is open to all that can connect (`--insecure-no-auth`).
    private let isInsecure: Bool

    /// Whether a loopback name or an IP address is treated as the first https origin.
    private let answersLocalHosts: Bool

    init(_ settings: HostSettings, catalog: RouteCatalog) {
        self.catalog = catalog
        callersAreUnknown = settings.authentication.isOpen
        isInsecure = settings.isInsecure
        answersLocalHosts = settings.answersLocalHosts
    }

    /// The https origins, with the origins of short links last.
    private var origins: [Origin] {
        catalog.origins.filter { $0.scheme.bytewise == "https" } + catalog.shortLinkOrigins
    }

    /// Checks that a host may reach the API without credentials.
    ///
    /// The host must be one that no other machine can have. An insecure server also accepts an origin's host, any
    /// address, and a name without a dot, since others can hardly own one.
    func check(_ authority: String) throws(Problem) {
        guard callersAreUnknown else { return }
        let host = HostName(authority: authority)
        guard isInsecure else {
            guard host?.isLoopback == true else { throw notLoopback(authority) }
            return
        }
        guard host?.isLocal == true || host?.isSingleLabel == true || originHost(authority) != nil
        else {
            throw misdirected(authority)
        }
    }

    /// Returns the host of the web link for a path under an authority, for a read or another method: the authority's
    /// own host if an https origin has it, or else possibly the first origin's.
    ///
    /// The result is `nil` without https origins, since web links need one.
    func linkHost(for authority: String, isRead: Bool) throws(Problem) -> String? {
        let isClosedToOthers = callersAreUnknown && !isInsecure
        guard !origins.isEmpty, isRead || !isClosedToOthers else {
            if isClosedToOthers { try check(authority) }
            return nil
        }
        if let host = originHost(authority) { return host }
        let host = HostName(authority: authority)
        guard answersLocalHosts, isClosedToOthers ? host?.isLoopback == true : host?.isLocal == true else {
            throw misdirected(authority)
        }
        // A host with a `*` can't be the host of a link.
        return origins.lazy.flatMap(\.hosts).first { $0.utf8.first != UInt8(ascii: "*") }
    }

    /// Returns the host of an authority that belongs to an https origin, in the origin's spelling: without the port of
    /// https.
    func originHost(_ authority: String) -> String? {
        guard let link = try? DeepLink("https://\(authority)/"), catalog.includesAuthority(of: link) else { return nil }
        return link.host + (link.port.map { ":\($0)" } ?? "")
    }

    private func notLoopback(_ authority: String) -> Problem {
        Problem(
            .misdirectedRequest,
            detail:
                "This server has no credentials, and answers only as `localhost` or a loopback address, not as `\(authority)`; "
                + "make a token with `waymark token create` to reach it by any host."
        )
    }

    private func misdirected(_ authority: String) -> Problem {
        let known = origins.flatMap(\.hosts).joined(separator: ", ")
        return Problem(
            .misdirectedRequest,
            detail: "This server does not answer for the host `\(authority)`; the hosts of its catalog are: \(known)."
        )
    }
}

/// The host name of an authority, `name:port` or `[address]:port`, and its kind.
struct HostName {
    private let name: String

    /// Whether the name is in brackets, as IPv6 addresses are.
    private let isBracketed: Bool

    /// The port, or `nil` if the authority has none.
    let port: Int?

    /// Separates the port, or returns `nil` if the authority isn't a host name or address with at most a port.
    init?(authority: String) {
        let rest: Substring.UTF8View
        let bytes = Substring(authority).utf8
        isBracketed = bytes.first == UInt8(ascii: "[")
        if isBracketed {
            guard let end = bytes.firstIndex(of: UInt8(ascii: "]")) else { return nil }
            name = String(Substring(bytes[..<end].dropFirst()))
            rest = bytes[end...].dropFirst()
        } else {
            let end = bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.endIndex
            name = String(Substring(bytes[..<end])).lowercased()
            rest = bytes[end...]
            guard name.utf8.allSatisfy(Self.isNameByte) else { return nil }
        }
        guard !name.isEmpty, rest.isEmpty || Self.isPort(rest) else { return nil }
        port = rest.isEmpty ? nil : UInt16(Substring(rest.dropFirst())).map { Int($0) }
    }

    /// The name as in an authority, without the port.
    var text: String { isBracketed ? "[\(name)]" : name }

    /// Whether a name in brackets is an address.
    ///
    /// Without brackets, it was checked to have only valid bytes.
    var isWellFormed: Bool { !isBracketed || isLocal }

    /// Whether the name is `localhost`, one below it (RFC 6761 §6.3), or an IP address.
    var isLocal: Bool {
        if (try? SocketAddress(ipAddress: name, port: 0)) != nil {
            return isBracketed == name.utf8.contains(UInt8(ascii: ":"))
        }
        return !isBracketed
            && (name.bytewise == "localhost" || name.utf8.suffix(10).elementsEqual(".localhost".utf8))
    }

    /// Whether the name is `localhost`, one below it, or a loopback address (RFC 1122 §3.2.1.3, RFC 4291 §2.5.3), and
    /// so never the name of another host's page.
    var isLoopback: Bool {
        guard isLocal else { return false }
        guard let address = try? SocketAddress(ipAddress: name, port: 0) else { return true }
        return address.isLoopback
    }

    /// Whether the name has a letter and no dot, as names in private networks do, such as a container's.
    var isSingleLabel: Bool {
        !isBracketed && !name.utf8.contains(UInt8(ascii: ".")) && name.utf8.contains { !ASCII.isDigit($0) && $0 > 0x2D }
    }

    /// Returns whether bytes are a colon and a port in decimal digits (RFC 3986 §3.2.3), without a sign.
    private static func isPort(_ bytes: Substring.UTF8View) -> Bool {
        bytes.first == UInt8(ascii: ":") && bytes.dropFirst().allSatisfy(ASCII.isDigit)
            && UInt16(Substring(bytes.dropFirst())) != nil
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."),
            UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}

/// The settings of the hosts at which the server answers, depending on the authentication of callers.
package struct HostSettings: Sendable {
    /// The authentication of callers.
    let authentication: Authentication

    /// Whether web links accept a loopback name or an IP address as the first https origin, on a server that only this
    /// machine can reach.
    let answersLocalHosts: Bool

    /// Whether a server without credentials answers all that can connect, even through proxies (`--insecure-no-auth`).
    let isInsecure: Bool

    /// Creates settings from their parts.
    package init(authentication: Authentication, answersLocalHosts: Bool, isInsecure: Bool = false) {
        self.authentication = authentication
        self.answersLocalHosts = answersLocalHosts
        self.isInsecure = isInsecure
    }

    /// Returns the rule for the hosts of a catalog.
    func policy(for catalog: RouteCatalog) -> HostPolicy { HostPolicy(self, catalog: catalog) }
}

extension SocketAddress {
    /// Whether only processes of this machine can have the address: 127.0.0.0/8 (RFC 1122 §3.2.1.3) or ::1 (RFC 4291
    /// §2.5.3).
    var isLoopback: Bool {
        guard let text = ipAddress else { return true }
        return text.utf8.starts(with: "127.".utf8) || text.bytewise == "::1"
    }
}

/// The rate limits of callers, counted separately for each service token, person, end user, and address without
/// credentials.
///
/// Addresses also have a limit of refused credentials and a limit of pages.
///
/// A caller may send a second's worth of requests at once, and then one at each interval (the generic cell rate
/// algorithm, ITU-T I.371 §A.1). Each caller takes one number, under a keyed digest of its identity, in
/// `TwoGenerations`, so that invented callers take no more memory than others. A dropped caller starts afresh, as does
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
