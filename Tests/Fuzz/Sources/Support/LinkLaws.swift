@testable import DeepLinkCore
@testable import DeepLinkFormats

/// The laws of every link in one catalog.
struct LinkLaws {
    private let catalog: RouteCatalog

    /// The catalog's name in reports.
    private let place: String

    /// Creates the laws of a catalog.
    init(_ catalog: RouteCatalog, link: [UInt8], from: [UInt8]?) {
        self.catalog = catalog
        let texts = [link, from].compactMap { $0.map { String(decoding: $0, as: UTF8.self) } }
        place = texts.map { "`\($0)`" }.joined(separator: " from ") + " in catalog \(catalog.version)"
    }

    /// Checks a link, and the link or reference that continues from another.
    static func check(_ link: [UInt8], from: [UInt8]?, in catalog: RouteCatalog) {
        LinkLaws(catalog, link: link, from: from).check(link, from)
    }

    private func check(_ link: [UInt8], _ from: [UInt8]?) {
        let shown = from.flatMap { try? DeepLink(bytes: $0, rootless: catalog.rootlessSchemes) }
        let current = shown.flatMap { plan(ResolutionRequest(link: $0))?.stack }
        for mode in ResolutionRequest.Mode.allCases {
            guard
                let request = try? ResolutionRequest(link: link, mode: mode, rootless: catalog.rootlessSchemes)
            else { continue }
            check(request)
            guard let shown, !isForeign(shown) else { continue }
            let stack = check(ResolutionRequest(link: request.link, mode: mode, current: .link(shown)))
            // The current stack is the same as a link and as a stack.
            guard let current else { continue }
            let same = plan(ResolutionRequest(link: request.link, mode: mode, current: .stack(current)))
            Law.require(same?.stack == stack, "\(place): \(mode): a link and its stack are not the same")
        }
    }

    private func isForeign(_ link: DeepLink) -> Bool { !catalog.includesAuthority(of: link) }

    private func plan(_ request: ResolutionRequest) -> RoutePlan? {
        if case .plan(let plan) = resolve(request, userLevel: .highest, catalog: catalog) { plan } else { nil }
    }

    private func plan(_ link: String) -> RoutePlan? {
        (try? DeepLink(link, rootless: catalog.rootlessSchemes)).flatMap { plan(ResolutionRequest(link: $0)) }
    }

    // MARK: Answers

    /// Checks one request; returns the stack that answers it.
    @discardableResult
    private func check(_ request: ResolutionRequest) -> [Destination]? {
        let answer = resolve(request, userLevel: .highest, catalog: catalog)
        if case .failure(.unknownOrigin) = answer { return nil }
        let explanation = explain(request, permissions: Permissions(level: .highest), catalog: catalog)
        Law.require(explanation.resolution == answer, "\(place): explaining changes the answer")
        let lenient = ResolutionRequest(
            link: request.link,
            mode: request.mode,
            current: request.current,
            acceptsPart: true
        )
        switch answer {
        case .plan(let plan):
            checkJSON(PlanBody(plan, explanation: explanation.steps))
            check(plan, request)
            Law.require(self.plan(lenient) == plan, "\(place): accepting a part changes a whole")
            return plan.stack
        case .failure(let failure):
            checkJSON(Problem(failure))
            check(failure, request)
            if let part = plan(lenient) { checkPart(part, lenient, failure) }
        case .denial: Law.require(false, "\(place): the highest level is denied")
        case .otherApp, .outdated: Law.require(false, "\(place): no app asks")
        }
        return nil
    }

    /// Checks the answer if only a part of the path matches.
    private func checkPart(_ plan: RoutePlan, _ request: ResolutionRequest, _ failure: ResolutionError) {
        guard case .noMatchingRoute(let report) = failure else {
            Law.require(false, "\(place): a part is answered, though all of it matches")
            return
        }
        Law.require(plan.unresolved == report.unmatched, "\(place): another part is left over than is reported")
        check(plan, request)
    }

    private func checkJSON(_ body: some WireBody) {
        let json = body.json
        let isObject = if case .object? = try? JSONParser.parse(json) { true } else { false }
        Law.require(isObject, "\(place): the body is no JSON: \(String(decoding: json, as: UTF8.self))")
    }

    // MARK: Plans

    private func check(_ plan: RoutePlan, _ request: ResolutionRequest) {
        Law.require(plan.unresolved.isEmpty || request.acceptsPart, "\(place): a part is accepted unasked")
        Law.require((plan.transition == nil) == (request.current == nil), "\(place): a transition from nowhere")
        if let transition = plan.transition, let unknownFrom = transition.unknownFrom {
            // A link that leads nowhere is read so far; what it shows from there on counts as one.
            Law.require(request.mode == .replace, "\(place): appending to what is not known")
            let applied = plan.stack.prefix(transition.keep) + transition.present
            Law.require(Array(applied) == plan.stack, "\(place): the transition leads elsewhere")
            Law.require(transition.keep <= unknownFrom, "\(place): what is not known stays")
            Law.require(transition.keep + transition.dismiss > unknownFrom, "\(place): what is not known stays")
        } else if let transition = plan.transition {
            let current = shown(request.current)
            let applied = current.prefix(transition.keep) + transition.present
            Law.require(Array(applied) == plan.stack, "\(place): the transition leads elsewhere")
            Law.require(transition.keep + transition.dismiss == current.count, "\(place): the transition miscounts")
            if request.mode == .append { Law.require(transition.dismiss == 0, "\(place): appending dismisses") }
        }
        if request.mode == .replace, !request.acceptsPart, request.current == nil {
            // The client may show any answer of the engine, and send it back.
            let same = ResolutionRequest(link: request.link, current: .stack(plan.stack))
            Law.require(self.plan(same)?.transition?.present.isEmpty == true, "\(place): the stack cannot be shown")
        }
        if let text = plan.canonicalLink { checkCanonical(text, plan.stack) }
        guard !request.acceptsPart else { return }
        for level in catalog.levels.all.dropLast() { check(level, plan, request) }
    }

    private func shown(_ current: CurrentStack?) -> [Destination] {
        switch current {
        case .stack(let stack)?: stack
        case .link(let link)?: plan(ResolutionRequest(link: link))?.stack ?? []
        case nil: []
        }
    }

    private func checkCanonical(_ text: String, _ stack: [Destination]) {
        checkPrinted(text, stack)
        // Another origin may have no room for a segment that this one has.
        if let built = try? DeepLinkCore.link(to: stack, catalog: catalog) { checkPrinted(built, stack) }
    }

    /// Checks a link that was printed: it leads to its stack, and is the canonical one.
    private func checkPrinted(_ text: String, _ stack: [Destination]) {
        let again = Law.require(plan(text), "\(place): \(text) is printed, and leads nowhere")
        Law.require(again.stack == stack, "\(place): \(text) is printed, and leads elsewhere")
        Law.require(again.unusedQuery.isEmpty, "\(place): \(text) has a query that nothing uses")
        // Canonical links have no port, so under a host that is listed with one there are none.
        guard again.link.port == nil else { return }
        Law.require(again.canonicalLink == text, "\(place): \(text) is not its own canonical link")
    }

    private func check(_ level: AuthorizationLevel, _ plan: RoutePlan, _ request: ResolutionRequest) {
        let name = catalog.levels.text(of: level)
        switch resolve(request, userLevel: level, catalog: catalog) {
        case .plan(let lower):
            Law.require(level >= plan.requiredLevel, "\(place): \(name) is let through")
            Law.require(lower.stack == plan.stack, "\(place): \(name) is led elsewhere")
        case .denial(let denial):
            checkJSON(Problem(denial))
            Law.require(level < plan.requiredLevel, "\(place): \(name) is denied")
            Law.require(denial.requiredLevel == plan.requiredLevel, "\(place): \(name) is told another level")
            let gate = Law.require(denial.gate, "\(place): there is no gate for \(name)")
            Law.require((gate.level ?? .lowest) > level, "\(place): the gate gives no more than \(name)")
            Law.require(self.plan(gate.link)?.stack == gate.stack, "\(place): the gate \(gate.link) leads elsewhere")
        case .otherApp, .outdated, .failure: Law.require(false, "\(place): the answer depends on the level")
        }
    }

    // MARK: Failures

    private func check(_ failure: ResolutionError, _ request: ResolutionRequest) {
        switch failure {
        case .noMatchingRoute(let report):
            Law.require(!report.unmatched.isEmpty || report.matched.isEmpty, "\(place): nothing is unmatched")
            for suggestion in report.suggestions {
                Law.require(
                    plan(suggestion)?.canonicalLink == suggestion,
                    "\(place): the suggestion \(suggestion) is no canonical link"
                )
            }
        case .invalidParameter(let invalid):
            Law.require(
                (0...request.link.bytes.count).contains(invalid.offset),
                "\(place): the offset \(invalid.offset) is outside the link"
            )
        case .conflictingDestinations(let routes):
            Law.require(routes.count > 1, "\(place): one destination conflicts with itself")
        case .invalidCurrentStack:
            if case .stack? = request.current { Law.require(false, "\(place): a stack of a plan does not fit") }
        case .malformedLink(let error):
            Law.require(
                (0...request.link.bytes.count).contains(error.offset),
                "\(place): the offset \(error.offset) is outside the link"
            )
        case .unknownOrigin, .unknownShortLink, .tooDeep, .tooManyLinks: break
        }
    }
}
