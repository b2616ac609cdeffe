import DeepLinkCore
import DeepLinkReporting
import Synchronization

/// The cache of recently resolved links, with their answers by the current catalog.
///
/// The same links are opened repeatedly, for example from a campaign, a push message or a tab. A link that comes a
/// second time is cached. From then on it is neither parsed nor matched, and its plan is not written again (decision
/// record 38). An answer depends only on the link, the catalog, the level with its source, and the grants. Requests
/// with further terms, links that need a signature, and links that do not resolve are never cached.
///
/// A link that comes twice replaces another in its slot. So memory is bounded, by 2,048 links of at most 512 bytes with
/// four answers of at most 2 KiB each.
final class RecentLinks: Sendable {
    /// A link that came more than once.
    final class Known: Sendable {
        /// The parsed link, without further terms.
        let request: ResolutionRequest

        /// The short link that the answers depend on, or `nil` for any other link.
        ///
        /// It must not have changed since.
        let followed: FollowedShortLink?

        /// The answers so far, newest first.
        private let answers: [Answer]

        fileprivate init(_ request: ResolutionRequest, following followed: FollowedShortLink?, answers: [Answer]) {
            self.request = request
            self.followed = followed
            self.answers = answers
        }

        /// Returns the answer for permissions and the level's source, or `nil` if it is not cached.
        func answer(for permissions: Permissions, from source: LevelSource?) -> Answer? {
            for answer in answers where answer.permissions == permissions && answer.source == source { return answer }
            return nil
        }

        fileprivate func adding(_ answer: Answer) -> Known {
            let others = answers.filter { $0.permissions != answer.permissions || $0.source != answer.source }
            return Known(
                request,
                following: followed,
                answers: [answer] + others.prefix(RecentLinks.maximumAnswerCount - 1)
            )
        }
    }

    /// The answer to a link.
    enum Outcome: Sendable {
        case plan(KeptPlan)
        case denial(KeptDenial)

        fileprivate var json: [UInt8] {
            switch self {
            case .plan(let kept): kept.json
            case .denial(let kept): kept.json
            }
        }
    }

    /// A cached plan.
    ///
    /// It is a class, since each repetition refers to it.
    final class KeptPlan: Sendable {
        /// The link, for its observers.
        let link: LinkEvent.Resolved

        /// The response body with the plan.
        let json: [UInt8]

        /// Creates a cached plan with its body.
        init(_ link: LinkEvent.Resolved, json: [UInt8]) {
            self.link = link
            self.json = json
        }
    }

    /// A cached denial.
    ///
    /// It is a class, since each repetition refers to it.
    final class KeptDenial: Sendable {
        /// The link, for its observers.
        let link: LinkEvent.Gated

        /// Its problem up to the value of the continuation.
        ///
        /// Each response has a new one.
        let json: [UInt8]

        /// The terms of the continuation.
        let terms: [UInt8]

        /// Creates a cached denial with the constant parts of its problem.
        init(_ link: LinkEvent.Gated, json: [UInt8], terms: [UInt8]) {
            self.link = link
            self.json = json
            self.terms = terms
        }
    }

    /// The cache's result for a link, before it is resolved.
    enum Finding {
        /// The link is cached.
        case known(Known)

        /// The link came before, so it is worth caching.
        case again

        /// The link is new, or another came in between.
        case new
    }

    /// An answer with the permissions that it is valid for.
    ///
    /// It is a class, since each repetition refers to it.
    final class Answer: Sendable {
        fileprivate let permissions: Permissions
        fileprivate let source: LevelSource?

        /// The plan or denial.
        let outcome: Outcome

        fileprivate init(_ outcome: Outcome, for permissions: Permissions, from source: LevelSource?) {
            self.permissions = permissions
            self.source = source
            self.outcome = outcome
        }
    }

    private struct Slot {
        /// The hash of the link that came last.
        var last = 0

        var known: Known?
    }

    private struct Slots {
        var catalog: RouteCatalog?
        var slots: [Slot] = []

        mutating func empty(for catalog: RouteCatalog) {
            self.catalog = catalog
            slots = Array(repeating: Slot(), count: RecentLinks.slotCount)
        }
    }

    /// A part of the slots, so that event loops rarely wait for each other.
    private final class Shard: Sendable {
        let slots = Mutex(Slots())
    }

    private static let shardCount = 8
    private static let slotCount = 256
    private static let maximumLinkByteCount = 512
    private static let maximumAnswerByteCount = 2048
    private static let maximumAnswerCount = 4

    private let shards = (0..<shardCount).map { _ in Shard() }
    private let hash = SeededHash()

    /// Finds a link, and records that it came.
    ///
    /// - Complexity: linear in the link's bytes, up to 512, and constant for longer links.
    func find(_ link: Span<UInt8>, in catalog: RouteCatalog) -> Finding {
        guard link.count <= Self.maximumLinkByteCount else { return .new }
        let hash = hash(link)
        if let finding = finding(link, hash: hash, in: catalog) { return finding }
        begin(with: catalog)
        return finding(link, hash: hash, in: catalog) ?? .new
    }

    /// Returns the cache's result for a link, or `nil` if it belongs to another catalog.
    private func finding(_ link: Span<UInt8>, hash: Int, in catalog: RouteCatalog) -> Finding? {
        shard(hash).slots
            .withLock { shard in
                guard shard.catalog === catalog else { return nil }
                let place = Self.place(hash)
                if let known = shard.slots[place].known, known.request.link.bytes.hasSameBytes(as: link) {
                    return .known(known)
                }
                guard shard.slots[place].last != hash else { return .again }
                shard.slots[place].last = hash
                return .new
            }
    }

    /// Removes all links, since another catalog is the current one, and the former must not be kept in memory.
    private func begin(with catalog: RouteCatalog) {
        for shard in shards {
            shard.slots.withLock { if $0.catalog !== catalog { $0.empty(for: catalog) } }
        }
    }

    /// Caches the answer to a link that came before.
    ///
    /// For a short link, the version that was followed is cached as well.
    func keep(
        _ outcome: Outcome,
        to request: ResolutionRequest,
        following followed: FollowedShortLink? = nil,
        for permissions: Permissions,
        from source: LevelSource?,
        in catalog: RouteCatalog
    ) {
        let link = request.link.bytes
        guard outcome.json.count <= Self.maximumAnswerByteCount else { return }
        let hash = hash(link.span)
        let answer = Answer(outcome, for: permissions, from: source)
        shard(hash).slots
            .withLock { shard in
                guard shard.catalog === catalog else { return }
                let place = Self.place(hash)
                if let known = shard.slots[place].known, known.request.link.bytes.hasSameBytes(as: link.span),
                    known.followed?.link == followed?.link
                {
                    shard.slots[place].known = known.adding(answer)
                } else {
                    shard.slots[place].known = Known(request, following: followed, answers: [answer])
                }
            }
    }

    private func shard(_ hash: Int) -> Shard { shards[hash & (Self.shardCount - 1)] }

    private static func place(_ hash: Int) -> Int { (hash >> 8) & (slotCount - 1) }
}

/// A hash of bytes that is unpredictable, since its seed is random for each value.
///
/// Each step multiplies eight bytes, mixed with all previous ones, and folds the product. It serves caches in which
/// keys with equal hashes merely replace each other, and has neither the strength nor the cost of `Hasher`.
struct SeededHash: Sendable {
    private static let factor: UInt64 = 0x9E37_79B9_7F4A_7C15

    private let seed = UInt64.random(in: 0 ... .max)

    /// Returns the hash of bytes.
    ///
    /// - Complexity: linear in the bytes.
    func callAsFunction(_ bytes: Span<UInt8>) -> Int {
        let words = bytes.bytes
        var hash = seed ^ UInt64(bytes.count)
        var index = 0
        while index &+ 8 <= bytes.count {
            hash = Self.mixed(hash, words.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
            index &+= 8
        }
        var rest: UInt64 = 0
        while index < bytes.count {
            rest = rest << 8 | UInt64(bytes[index])
            index &+= 1
        }
        return Int(truncatingIfNeeded: Self.mixed(Self.mixed(hash, rest), seed))
    }

    @inline(__always)
    private static func mixed(_ hash: UInt64, _ word: UInt64) -> UInt64 {
        let product = (hash ^ word).multipliedFullWidth(by: factor)
        return product.high ^ product.low
    }
}
