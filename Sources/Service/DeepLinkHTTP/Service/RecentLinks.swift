import CoreMetrics
import DeepLinkCore
import Synchronization

/// The links that were resolved lately, with their answers by the catalog in force.
///
/// The same links are opened again and again: those of a campaign, of a push message, of a tab. A link that comes a
/// second time is kept, and from then on it is neither parsed nor matched, and its plan is not written again (decision
/// record 38). An answer depends on nothing but the link, the catalog, the level with its source, and the grants;
/// requests with further terms, links that need a signature, and links that lead nowhere are never kept.
///
/// There are as many places as slots: a link that comes twice takes the place of another. So memory is bounded, by 2,048
/// links of at most 512 bytes with four answers of at most 2 KiB each.
final class RecentLinks: Sendable {
    /// A link that came more than once.
    final class Known: Sendable {
        /// The parsed link, without further terms.
        let request: ResolutionRequest

        /// The short link that the answers followed, and that must not have changed since; `nil` for any other link.
        let followed: FollowedShortLink?

        /// The answers so far, newest first.
        private let answers: [Answer]

        fileprivate init(_ request: ResolutionRequest, following followed: FollowedShortLink?, answers: [Answer]) {
            self.request = request
            self.followed = followed
            self.answers = answers
        }

        /// Returns the answer for permissions and the level's source; `nil` if it is not kept.
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

    /// A plan; a class, since each repetition refers to it.
    final class KeptPlan: Sendable {
        /// The plan.
        let plan: RoutePlan

        /// The body that contains it.
        let json: [UInt8]

        /// Keeps a plan with its body.
        init(_ plan: RoutePlan, json: [UInt8]) {
            self.plan = plan
            self.json = json
        }
    }

    /// A denial; a class, since each repetition refers to it.
    final class KeptDenial: Sendable {
        /// The denial.
        let denial: Denial

        /// Its problem up to the value of the continuation, of which each answer has one of its own.
        let json: [UInt8]

        /// The terms of the continuation.
        let terms: [UInt8]

        /// Keeps a denial with the parts of its problem that are the same each time.
        init(_ denial: Denial, json: [UInt8], terms: [UInt8]) {
            self.denial = denial
            self.json = json
            self.terms = terms
        }
    }

    /// The memory of a link before it is resolved.
    enum Finding {
        /// The link is kept.
        case known(Known)

        /// The link came before, so it is worth keeping.
        case again

        /// The link is new, or another came in between.
        case new
    }

    /// An answer with the permissions that it is for; a class, since each repetition refers to it.
    final class Answer: Sendable {
        fileprivate let permissions: Permissions
        fileprivate let source: LevelSource?

        /// The answer.
        let outcome: Outcome

        /// The counters of links with this answer.
        let counters: [Counter]

        fileprivate init(
            _ outcome: Outcome,
            counters: [Counter],
            for permissions: Permissions,
            from source: LevelSource?
        ) {
            self.permissions = permissions
            self.source = source
            self.outcome = outcome
            self.counters = counters
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

    /// A part of the slots, so that event loops seldom wait for each other.
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

    /// Finds a link, and remembers that it came.
    ///
    /// - Complexity: linear in the link's bytes, up to 512; constant for longer ones.
    func find(_ link: Span<UInt8>, in catalog: RouteCatalog) -> Finding {
        guard link.count <= Self.maximumLinkByteCount else { return .new }
        let hash = hash(link)
        if let finding = finding(link, hash: hash, in: catalog) { return finding }
        begin(with: catalog)
        return finding(link, hash: hash, in: catalog) ?? .new
    }

    /// Returns the memory of a link; `nil` if it is of another catalog.
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

    /// Forgets all links: another catalog is in force, and nothing may keep the former one in memory.
    private func begin(with catalog: RouteCatalog) {
        for shard in shards {
            shard.slots.withLock { if $0.catalog !== catalog { $0.empty(for: catalog) } }
        }
    }

    /// Keeps the answer to a link that came before; of a short link, beside the one that was followed.
    func keep(
        _ outcome: Outcome,
        counters: [Counter],
        to request: ResolutionRequest,
        following followed: FollowedShortLink? = nil,
        for permissions: Permissions,
        from source: LevelSource?,
        in catalog: RouteCatalog
    ) {
        let link = request.link.bytes
        guard outcome.json.count <= Self.maximumAnswerByteCount else { return }
        let hash = hash(link.span)
        let answer = Answer(outcome, counters: counters, for: permissions, from: source)
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

/// A hash of bytes that nobody can foresee: its start is drawn for each value.
///
/// Each step multiplies eight bytes, mixed with all before, and folds the product. It serves caches in which keys of one
/// hash only supplant each other, and has none of the strength, and the cost, of `Hasher`.
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
