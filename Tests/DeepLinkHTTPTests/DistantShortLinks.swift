import DeepLinkStorage
import Synchronization
import WaymarkTestSupport

/// A store whose short links have to be waited for, as those of a database.
final class DistantShortLinks: ShortLinkStore {
    /// Stands for a database that is lost.
    private struct Lost: Error {}

    private let held: InMemoryUserStateStore
    private let isLost: Mutex<Bool>
    private let refusal: ShortLinkWriteError?
    private let count = Mutex(0)

    private let isSilent: Bool

    /// Creates a store in front of another; one that is lost fails whenever it is asked, one that is silent never
    /// answers, and one with a refusal makes no links.
    init(
        _ held: InMemoryUserStateStore = InMemoryUserStateStore(codeGenerator: .seeded()),
        isLost: Bool = false,
        isSilent: Bool = false,
        refusing refusal: ShortLinkWriteError? = nil
    ) {
        self.held = held
        self.isLost = Mutex(isLost)
        self.isSilent = isSilent
        self.refusal = refusal
    }

    /// Fails from now on.
    func lose() { isLost.withLock { $0 = true } }

    /// The number of codes that were asked for.
    var questionCount: Int { count.withLock(\.self) }

    func link(for code: ShortLinkCode) throws -> DeepLinkStorage.Answer<ShortLinkLookupResult> {
        .waiting { [self] in
            count.withLock { $0 += 1 }
            if isSilent { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }
            if isLost.withLock(\.self) { throw Lost() }
            return try await held.link(for: code).value
        }
    }

    func storedLink(for code: ShortLinkCode) async throws -> ShortLink? { try held.storedLink(for: code) }
    func storedLinks(named names: [ShortLinkName]) async throws -> [ShortLinkName: ShortLink] {
        try held.storedLinks(named: names)
    }
    var codeGenerator: ShortLinkCodeGenerator { held.codeGenerator }
    func make<Outcome: Sendable>(_ change: StoreChange<Outcome>) async throws -> Outcome {
        if let refusal {
            let each = Result<ShortLinkWriteResult, ShortLinkLedger.Refusal>.failure(.refused(refusal))
            if let outcome = Array(repeating: each, count: change.needs.size) as? Outcome { return outcome }
        }
        return try await held.make(change)
    }
    func shortLinks(
        _ filter: ShortLinkFilter,
        after position: ShortLinkPosition?,
        limit: Int
    ) async throws -> ShortLinkPage { try held.shortLinks(filter, after: position, limit: limit) }
    func position(after code: ShortLinkCode) async throws -> ShortLinkPosition? { try held.position(after: code) }
    func history(of code: ShortLinkCode, after version: Int, limit: Int) async throws -> [ShortLinkChange] {
        try held.history(of: code, after: version, limit: limit)
    }
    func shapeCounts() async throws -> [(shape: ShortLinkShape, count: Int)] { try held.shapeCounts() }
    func labels() async throws -> [ShortLinkLabel] { try held.labels() }
}
