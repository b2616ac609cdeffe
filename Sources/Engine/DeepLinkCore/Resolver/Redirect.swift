/// The redirect from a link to the one in its query, which is resolved instead.
final class Redirect: Sendable {
    /// The maximum number of redirects from a link to the last one.
    static let maximumCount = 4

    /// The routed part of the link in the query.
    let path: RoutedPath

    /// The prefix with which the target's stack is printed.
    let base: LinkPrefix

    /// The destinations of the redirecting link.
    ///
    /// They are not shown, but their levels count.
    let passed: [StackElement]

    /// The fragment of the redirecting link, if no origin routes it.
    private let unusedFragment: String?

    /// The next redirect, if the target redirects too.
    private let next: Redirect?

    init(
        to path: RoutedPath,
        base: LinkPrefix,
        passing passed: [StackElement],
        unusedFragment: String?,
        next: Redirect? = nil
    ) {
        self.path = path
        self.base = base
        self.passed = passed
        self.unusedFragment = unusedFragment
        self.next = next
    }

    /// Returns the same redirect, followed by others.
    func followed(by next: Redirect?) -> Redirect {
        Redirect(to: path, base: base, passing: passed, unusedFragment: unusedFragment, next: next)
    }

    /// This redirect and all later ones.
    var all: [Redirect] { [self] + (next?.all ?? []) }

    /// The redirect to the last link.
    var last: Redirect { next?.last ?? self }

    /// The fragments of the redirecting links and the last link that no origin routes.
    var unusedFragments: [String] {
        all.compactMap { $0.unusedFragment } + [last.path.unusedFragment].compactMap { $0 }
    }
}

extension Resolver {
    /// Resolves the link in the query, for a link with a redirecting route on top of its stack.
    ///
    /// - Throws: ``StackSearchError`` if the target isn't a link of the catalog's origins, does not resolve, or
    ///   redirects too often.
    func follow(
        _ resolved: ResolvedLink,
        of path: RoutedPath,
        from current: [StackElement],
        after count: Int
    ) throws(StackSearchError) -> ResolvedLink {
        guard count < Redirect.maximumCount else {
            throw .failure(.tooManyLinks(limit: Redirect.maximumCount))
        }
        let (target, base) = try target(of: resolved, path)
        let redirect = Redirect(
            to: target,
            base: base,
            passing: Array(resolved.added),
            unusedFragment: path.unusedFragment
        )
        do throws(StackSearchError) {
            var answer = try stack(of: target, from: current, after: count + 1)
            answer.redirect = redirect.followed(by: answer.redirect)
            answer.unusedQuery = resolved.unusedQuery + answer.unusedQuery
            return answer
        } catch {
            throw .behind(redirect, resolved.unusedQuery, error)
        }
    }

    /// Returns the target in a link's query, which may be a path of the same origin.
    private func target(
        of resolved: ResolvedLink,
        _ path: RoutedPath
    ) throws(StackSearchError) -> (RoutedPath, LinkPrefix) {
        guard let top = resolved.stack.last, let parameter = graph.edges[top.edge].linkParameter,
            case .string(let text)? = top.arguments.first(where: { $0.name.bytewise == parameter.name.bytewise })?.value
        else { throw .unmatched(MatchError(rejection: nil, steps: ShortList())) }
        let places = places(of: text, under: parameter.key, path)
        func fault(_ offset: Int, expected: String) -> StackSearchError {
            .failure(
                .invalidParameter(
                    ParameterError(
                        route: graph.routes[graph.packed[top.edge].child].name,
                        parameter: parameter.name,
                        value: text,
                        isBare: false,
                        expected: expected,
                        range: LinkRange(offset, offset)
                    )
                )
            )
        }
        let source = path.source
        var bytes = Array(text.utf8)
        var runs = places
        if bytes.first == ASCII.slash, bytes.dropFirst().first != ASCII.slash, !source.isRelative {
            // An absolute-path reference (RFC 3986 §4.2).
            let prefix = beginning(of: bytes, besides: source)
            runs =
                [LinkOffsets.Run(place: 0, original: places.first?.original ?? 0, isStretch: false)]
                + places.map { run in
                    LinkOffsets.Run(place: run.place + prefix.count, original: run.original, isStretch: run.isStretch)
                }
            bytes = prefix + bytes
        }
        let link: DeepLink
        do throws(LinkSyntaxError) {
            link = try DeepLink(bytes: bytes, rootless: catalog.rootlessSchemes)
        } catch {
            let run = runs.last { $0.place <= error.offset } ?? runs.first
            throw fault(
                run.map { $0.original + ($0.isStretch ? error.offset - $0.place : 0) } ?? 0,
                expected: "a link"
            )
        }
        guard let (key, start) = catalog.origin(of: link) else {
            throw .failure(foreign(link))
        }
        let offsets = LinkOffsets(runs, in: link, within: path.offsets)
        do throws(LinkSyntaxError) {
            let target = try catalog.routedPath(of: link, key, from: start, within: offsets)
            return (target, LinkPrefix(origin: key, link: link))
        } catch {
            throw .failure(.malformedLink(error))
        }
    }

    /// Returns the text with which a path in a link's query becomes a link of the same origin.
    ///
    /// This is the scheme and the host, unless the host is a segment, and the origin's prefix unless the path has one.
    private func beginning(of path: [UInt8], besides source: DeepLink) -> [UInt8] {
        let head = Array(source.bytes[..<source.spans.path.start])
        guard let key = catalog.origin(of: source).map({ catalog.originKeys[$0.index] }) else { return head }
        let isSegment = key.authority == .segment && !key.hasHostSegment
        var beginning = isSegment ? Array(source.bytes[source.spans.scheme.indices] + "://".utf8) : head
        guard key.prefixCount > 0,
            let link = try? DeepLink(bytes: beginning + path, rootless: catalog.rootlessSchemes),
            catalog.origin(of: link) == nil
        else { return beginning }
        for segment in catalog.origins[key.origin].pathPrefix {
            beginning.append(ASCII.slash)
            PercentEncoding.append(segment, to: &beginning)
        }
        return beginning
    }

    /// Returns the offsets in a link of the bytes of a decoded value.
    private func places(of text: String, under key: String, _ path: RoutedPath) -> [LinkOffsets.Run] {
        let query = QueryBinder(path.link, plusIsSpace: catalog.plusIsSpace)
        let pair = path.link.pairRanges.first { pair in
            query.isNamed(pair, key: key) && query.item(pair).value?.bytewise == text.bytewise
        }
        guard let range = pair?.value else { return [] }
        var runs = [LinkOffsets.Run(place: 0, original: range.start, isStretch: true)]
        var index = range.start
        var place = 0
        while index < range.end {
            let isEscape = path.link.bytes[index] == ASCII.percent
            index += isEscape ? 3 : 1
            place += 1
            if isEscape { runs.append(LinkOffsets.Run(place: place, original: index, isStretch: true)) }
        }
        return runs
    }
}

/// The reason why a link has no stack, without the report for users.
///
/// Suggestions and canonical links test whether other links resolve. A report for each of these would compute
/// suggestions in turn, and the cost would double with every misspelt segment.
indirect enum StackSearchError: Error {
    /// The path matches no route.
    case unmatched(MatchError)

    /// The link fails with an error.
    case failure(ResolutionError)

    /// The link in the query, which replaces this one, fails.
    ///
    /// The unused pairs of this link's query are known.
    case behind(Redirect, [QueryItem], StackSearchError)
}

extension StackSearchError {
    /// The redirects from a link to the links in the queries, up to the failure.
    var redirects: [Redirect] {
        var redirects: [Redirect] = []
        var cause = self
        while case .behind(let redirect, _, let failure) = cause {
            redirects.append(redirect)
            cause = failure
        }
        return redirects
    }
}
