import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import DeepLinkReporting
import DeepLinkStorage
import HTTPTypes

/// The answers of a resolver, with the answers to recent links repeated from a cache.
///
/// Without the cache, every answer would be the same.
final class RecentAnswers: Sendable {
    /// The resolution of links.
    let resolver: LinkResolver

    /// The cache of recent links.
    let links = ResolutionCache()

    /// Creates an empty cache in front of a resolver.
    init(of resolver: LinkResolver) {
        self.resolver = resolver
    }

    /// Follows the code that a request names, unless it is known from a recent link and has not changed since.
    ///
    /// - Throws: `Problem`, as ``LinkResolver/followed(_:in:)`` does.
    func followed(
        _ arguments: consuming ResolveArguments,
        in call: EndpointRequest
    ) throws(Problem) -> Answer<ResolveArguments> {
        if case .known(let link) = arguments.memory {
            guard let followed = link.followed else { return .ready(arguments) }
            if resolver.shortLinks?.isCurrent(followed) == true { return .ready(arguments.leading(to: followed)) }
        }
        return try resolver.followed(arguments, in: call)
    }

    /// Resolves the link of a request at a user's level, or repeats its cached answer.
    ///
    /// - Throws: `Problem` for every outcome but a plan and a cached denial.
    func answer(
        for arguments: ResolveArguments,
        at user: UserLevel,
        in call: EndpointRequest
    ) throws(Problem) -> LinkResponse {
        if case .known(let link) = arguments.memory, let answer = link.answer(for: user.permissions, from: user.source)
        {
            return repeated(answer, for: arguments, in: call)
        }
        guard arguments.isWorthKeeping else {
            return .plan(try resolver.plan(for: arguments, at: user, in: call).json)
        }
        let decision = resolver.decision(on: arguments, at: user, in: call)
        guard let answer = LastingAnswer(decision, on: arguments.request, at: user) else {
            return .plan(try resolver.plan(by: decision, for: arguments, at: user, in: call).json)
        }
        links.keep(answer, to: arguments.request, following: arguments.followed, in: call.catalog)
        return repeated(answer, for: arguments, in: call)
    }

    /// Tells the observers of an answer, and writes a new continuation into a denial.
    private func repeated(
        _ answer: LastingAnswer,
        for arguments: borrowing ResolveArguments,
        in call: EndpointRequest
    ) -> LinkResponse {
        resolver.tell(answer.outcome, of: arguments, in: call)
        guard let terms = answer.terms else { return .plan(answer.json) }
        // The terms of a short link contain its target.
        let continuation = resolver.newContinuation(for: arguments, in: call)
        // A token takes a third more than its terms, and some 150 bytes.
        var writer = JSONWriter(continuing: answer.json, reservingCapacity: terms.count * 4 / 3 + 200)
        writer.plainString { continuation.append(to: &$0, signedBy: resolver.continuations.key, terms: terms) }
        writer.endObject()
        return .denial(writer.bytes)
    }
}

/// The cache of recently resolved links, with their answers by the current catalog.
///
/// The same links are opened repeatedly, for example from a campaign, a push message or a tab. A link that comes a
/// second time is cached. From then on it is neither parsed nor matched, and its plan is not written again (decision
/// record 38). An answer depends only on the link, the catalog, the level with its source, and the grants. Requests
/// with further terms, links that need a signature, and links that do not resolve are never cached.
///
/// Memory is bounded, by 2,048 links of at most 512 bytes with four answers of at most 2 KiB each.
final class ResolutionCache: Sendable {
    /// A link that came more than once.
    final class Known: Sendable {
        /// The parsed link, without further terms.
        let request: ResolutionRequest

        /// The short link that the answers depend on, or `nil` for any other link.
        ///
        /// It must not have changed since.
        let followed: ResolvedShortLink?

        /// The answers so far, newest first.
        private let answers: [LastingAnswer]

        fileprivate init(
            _ request: ResolutionRequest,
            following followed: ResolvedShortLink?,
            answers: [LastingAnswer]
        ) {
            self.request = request
            self.followed = followed
            self.answers = answers
        }

        /// Returns the answer for permissions and the level's source, or `nil` if it is not cached.
        func answer(for permissions: Permissions, from source: LevelSource?) -> LastingAnswer? {
            for answer in answers where answer.permissions == permissions && answer.source == source { return answer }
            return nil
        }

        fileprivate func adding(_ answer: LastingAnswer) -> Known {
            let others = answers.filter { $0.permissions != answer.permissions || $0.source != answer.source }
            return Known(
                request,
                following: followed,
                answers: [answer] + others.prefix(ResolutionCache.maximumAnswerCount - 1)
            )
        }
    }

    /// The cache's result for a link, before it is resolved.
    typealias Lookup = RepeatCache<Known>.Lookup

    private static let maximumAnswerByteCount = 2048
    private static let maximumAnswerCount = 4

    private let links = RepeatCache<Known>(capacity: 2048, maximumKeyByteCount: 512)

    /// Finds a link, and records that it came.
    ///
    /// - Complexity: linear in the link's bytes, up to 512, and constant for longer links.
    func find(_ link: Span<UInt8>, in catalog: RouteCatalog) -> Lookup { links.find(link, in: catalog) }

    /// Caches the answer to a link that came before.
    ///
    /// For a short link, the version that was followed is cached as well.
    func keep(
        _ answer: LastingAnswer,
        to request: ResolutionRequest,
        following followed: ResolvedShortLink? = nil,
        in catalog: RouteCatalog
    ) {
        guard answer.json.count <= Self.maximumAnswerByteCount else { return }
        links.keep(request.link.bytes, in: catalog) { known in
            guard let known, known.followed?.link == followed?.link else {
                return Known(request, following: followed, answers: [answer])
            }
            return known.adding(answer)
        }
    }
}

/// The part of an answer that is the same whenever a link comes again to a user with the same permissions.
///
/// It is a class, since each repetition refers to it.
final class LastingAnswer: Sendable {
    /// The resolved or gated link, for observers.
    let outcome: LinkEvent.Outcome

    /// The body with the plan, or the problem of a gated link up to the value of its continuation.
    ///
    /// Each response has a new continuation.
    let json: [UInt8]

    /// The terms of the continuation, or `nil` for a plan.
    let terms: [UInt8]?

    /// The level and the grants that the answer is for.
    let permissions: Permissions

    /// The source of the level, or `nil` as in ``UserLevel/source``.
    let source: LevelSource?

    /// Creates an answer from its parts.
    init(
        _ outcome: LinkEvent.Outcome,
        json: [UInt8],
        terms: [UInt8]? = nil,
        for permissions: Permissions,
        from source: LevelSource?
    ) {
        self.outcome = outcome
        self.json = json
        self.terms = terms
        self.permissions = permissions
        self.source = source
    }
}

extension LastingAnswer {
    /// Writes the part of an answer that is the same each time, or returns `nil` if the answer depends on more than
    /// link, catalog, level and grants.
    fileprivate convenience init?(_ decision: Decision, on request: ResolutionRequest, at user: UserLevel) {
        switch decision.outcome {
        case .resolution(.plan(let plan)) where plan.signature == nil:
            self.init(
                .resolved(LinkEvent.Resolved(plan)),
                json: PlanBody(plan, levelSource: user.source).json,
                for: user.permissions,
                from: user.source
            )
        case .resolution(.denial(let denial)) where denial.signature == nil:
            guard let terms = Continuation.terms(of: request) else { return nil }
            self.init(
                .gated(LinkEvent.Gated(denial)),
                json: Problem(denial).json(upToValueOf: "continuation"),
                terms: terms,
                for: user.permissions,
                from: user.source
            )
        case .resolution, .refusal: return nil
        }
    }
}

/// The answer to a link, written as JSON.
enum LinkResponse {
    /// A resolved link with its plan.
    case plan([UInt8])

    /// The problem of a link that the user's level does not allow.
    case denial([UInt8])

    /// The JSON of the answer.
    var json: [UInt8] {
        switch self {
        case .plan(let json), .denial(let json): json
        }
    }

    /// Returns the response of an endpoint for one link, with additional fields.
    func response(fields: HTTPFields = HTTPFields()) -> EndpointResponse {
        switch self {
        case .plan(let json): EndpointResponse(json: json, fields: fields)
        case .denial(let json):
            EndpointResponse(problem: .insufficientAuthorizationLevel, json: json, fields: fields)
        }
    }
}
