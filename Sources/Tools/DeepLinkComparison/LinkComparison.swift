import DeepLinkClientCode
import DeepLinkCore
import DeepLinkFormats

/// A comparison of a link's resolutions with two catalogs.
struct LinkComparison {
    /// One difference between the resolutions.
    struct Difference {
        let identity: Finding.Identity
        var oldEdge: Int?
        var newEdge: Int?

        /// The harm, if it is greater than for other changes of the rule.
        var harms: [ChangeAudience: Severity]?

        /// The edges of the old and of the new stack, or none if the link doesn't resolve.
        var oldWay: [Int] = []
        var newWay: [Int] = []

        /// Whether the stacks differ.
        var isOfStack = false

        /// The values of the new stack that published apps cannot read.
        var unread: [IncompatibleValue] = []
    }

    let pairing: CatalogPairing

    /// The users to check, by their levels in both catalogs.
    let users: [LevelPair]

    /// Resolves a link with both catalogs, and returns the differences.
    ///
    /// Resolving with the highest level covers all levels, because a plan contains the level that it requires, and
    /// lower levels are denied.
    ///
    /// - Complexity: the cost of two resolutions if nothing differs.
    func differences(of link: DeepLink) -> [Difference] {
        let request = ResolutionRequest(link: link)
        let before = resolve(request, permissions: .all, catalog: pairing.old)
        let after = resolve(request, permissions: .all, catalog: pairing.new)
        func difference(_ rule: ChangeRule, _ subject: ChangeSubject, old: ByteText, new: ByteText) -> Difference {
            Difference(identity: Finding.Identity(rule: rule, subject: subject, old: old, new: new))
        }
        switch (before, after) {
        case (.plan(let old), .plan(let new)): return differences(old, new)
        case (.plan(let old), _):
            guard isAsked(old: old.requiredLevel) else { return [] }
            let top = Top(old, pairing: pairing)
            var difference = difference(.linkDies, top.subject, old: top.route, new: Self.code(after))
            (difference.oldEdge, difference.oldWay) = (top.edge, old.edgeNumbers)
            return [difference]
        case (_, .plan(let new)):
            guard isAsked(new: new.requiredLevel) else { return [] }
            let top = Top(newPlan: new, pairing)
            var difference = difference(.linkRevives, top.subject, old: Self.code(before), new: top.route)
            (difference.newEdge, difference.newWay) = (top.edge, new.edgeNumbers)
            difference.unread = unread(new)
            return [difference]
        default:
            let codes = (old: Self.code(before), new: Self.code(after))
            guard before != after, codes.old != codes.new else { return [] }
            return [difference(.linkProblemChanged, ChangeSubject(), old: codes.old, new: codes.new)]
        }
    }

    private func isAsked(old level: AuthorizationLevel) -> Bool { users.contains { $0.old >= level } }

    private func isAsked(new level: AuthorizationLevel) -> Bool { users.contains { $0.new >= level } }

    private static func code(_ resolution: Resolution) -> ByteText {
        do throws(Problem) {
            return (try resolution.plan().stack.last?.route ?? "").bytewise
        } catch {
            return error.code.rawValue.bytewise
        }
    }

    // MARK: Two plans

    private func differences(_ old: RoutePlan, _ new: RoutePlan) -> [Difference] {
        guard isAsked(old: old.requiredLevel) || isAsked(new: new.requiredLevel) else { return [] }
        let (before, after) = (pairing.renaming(old.stack), new.stack)
        var differences: [Difference] = []
        lazy var tops = Tops(old: Top(old, pairing: pairing), new: Top(newPlan: new, pairing))
        if before != after {
            differences = stackDifferences(old, new, before: before, after: after, tops: tops)
            for index in differences.indices { differences[index].isOfStack = true }
            if !differences.isEmpty { differences[0].unread = unread(new) }
        } else if old.canonicalLink?.bytewise != new.canonicalLink?.bytewise {
            let addresses = (pairing.old.edges[tops.old.edge].address, pairing.new.edges[tops.new.edge].address)
            let texts = (AddressText.text(of: addresses.0).bytewise, AddressText.text(of: addresses.1).bytewise)
            var difference = tops.difference(.linkCanonicalChanged, from: texts.0, to: texts.1)
            // The signature covers the old canonical link.
            if old.isSigned, new.isSigned { difference.harms = [.links: .breaking] }
            differences.append(difference)
        }
        if old.isSigned != new.isSigned {
            func words(_ plan: RoutePlan) -> ByteText { plan.isSigned ? "signed" : "not signed" }
            let rule: ChangeRule = new.isSigned ? .signatureRequired : .signatureDropped
            differences.append(tops.difference(rule, from: words(old), to: words(new)))
        }
        // A user who reaches another screen isn't admitted where others were denied.
        if before.last?.route.bytewise == after.last?.route.bytewise {
            // For a request without an app, a plan lists its requirement for each platform, so that every version is
            // covered.
            let changes =
                pairing.changes(from: old.requiredLevel, to: new.requiredLevel, for: users)
                + pairing.changes(from: old.requiredGrants, to: new.requiredGrants)
                + pairing.changes(from: old.requiresApp, to: new.requiresApp)
                + pairing.appChanges(from: old, to: new)
            differences += changes.map { change in
                var difference = tops.difference(change.rule, from: change.old, to: change.new)
                difference.harms = change.harms
                return difference
            }
        }
        guard !differences.isEmpty else { return [] }
        let (oldWay, newWay) = (old.edgeNumbers, new.edgeNumbers)
        for index in differences.indices { (differences[index].oldWay, differences[index].newWay) = (oldWay, newWay) }
        return differences
    }

    /// Returns the values of a new stack that the types of published apps cannot read.
    private func unread(_ plan: RoutePlan) -> [IncompatibleValue] {
        zip(plan.stack, plan.edgeNumbers)
            .flatMap { destination, edge -> [IncompatibleValue] in
                pairing.types.faults(in: destination)
                    .map { IncompatibleValue(route: destination.route.bytewise, fault: $0, newEdge: edge) }
            }
    }

    private func stackDifferences(
        _ old: RoutePlan,
        _ new: RoutePlan,
        before: [Destination],
        after: [Destination],
        tops: Tops
    ) -> [Difference] {
        guard let last = before.last, let newLast = after.last else { return [] }
        guard last.route.bytewise == newLast.route.bytewise else {
            let rule: ChangeRule = isCaptured(old, new) ? .linkCaptured : .linkDestinationChanged
            return [tops.difference(rule, from: tops.old.route, to: tops.new.route)]
        }
        if last.parameters != newLast.parameters {
            return parameterDifferences(last, newLast, oldEdge: tops.old.edge, newEdge: tops.new.edge, ofTop: true)
        }
        let isSameShape =
            before.count == after.count
            && zip(before, after)
                .allSatisfy { $0.route.bytewise == $1.route.bytewise && $0.presentation == $1.presentation }
        guard isSameShape else {
            return [tops.difference(.linkStackChanged, from: Self.shape(before), to: Self.shape(after))]
        }
        return zip(before, after).enumerated().lazy.filter { $0.element.0.parameters != $0.element.1.parameters }
            .prefix(1)
            .flatMap { place, pair in
                parameterDifferences(
                    pair.0,
                    pair.1,
                    oldEdge: old.edgeNumbers[place],
                    newEdge: new.edgeNumbers[place],
                    ofTop: false
                )
            }
    }

    /// Returns whether a new edge took the link while the old edge still exists.
    private func isCaptured(_ old: RoutePlan, _ new: RoutePlan) -> Bool {
        for (edge, other) in zip(old.edgeNumbers, new.edgeNumbers) where pairing.inNew(edge) != other {
            return pairing.inOld(other) == nil && pairing.inNew(edge) != nil
        }
        return false
    }

    /// Returns a difference for each parameter with a different value that its declaration doesn't explain.
    private func parameterDifferences(
        _ before: Destination,
        _ after: Destination,
        oldEdge: Int,
        newEdge: Int,
        ofTop isTop: Bool
    ) -> [Difference] {
        func value(_ name: ByteText, destination: Destination) -> ParameterValue? {
            destination.parameters.first { $0.name.bytewise == name }?.value
        }
        var names: [ByteText] = []
        for name in (before.parameters + after.parameters).map(\.name.bytewise) where !names.contains(name) {
            if value(name, destination: before) != value(name, destination: after) { names.append(name) }
        }
        if names.isEmpty { names = (before.parameters + after.parameters).prefix(1).map(\.name.bytewise) }
        return names.map { name in
            let old = pairing.old.edges[oldEdge].parameter(name)
            let new = pairing.new.edges[newEdge].parameter(name)
            let isExplained =
                old == nil || new == nil || old?.type != new?.type || old?.defaultValue != new?.defaultValue
                || old?.fixedValue != new?.fixedValue || old?.inheritance != new?.inheritance
            let rule: ChangeRule =
                isExplained ? .linkParametersChanged : isTop ? .linkDestinationChanged : .linkStackChanged
            let edge = pairing.oldEdges.names[oldEdge]
            return Difference(
                identity: Finding.Identity(
                    rule: rule,
                    subject: ChangeSubject(route: before.route.bytewise, edge: edge, parameter: name),
                    old: Self.words(old, value: value(name, destination: before)),
                    new: Self.words(new, value: value(name, destination: after))
                ),
                oldEdge: oldEdge,
                newEdge: newEdge
            )
        }
    }

    /// Describes a parameter and whether it has a value, without the value, because recorded links are private.
    private static func words(_ parameter: Parameter?, value: ParameterValue?) -> ByteText {
        guard let parameter else { return "not declared".bytewise }
        guard value != nil else { return "absent".bytewise }
        if let inheritance = parameter.inheritance { return "that of \(inheritance.text)".bytewise }
        if let fixed = parameter.fixedValue { return "always \(fixed.text)".bytewise }
        let fallback = parameter.defaultValue.map { " = \($0.text)" } ?? ""
        return "\(parameter.type.name)\(fallback)".bytewise
    }

    /// Describes the routes of a stack and their presentations, with a repeated route only once.
    private static func shape(_ stack: [Destination]) -> ByteText {
        var words: [String] = []
        for destination in stack {
            let word = "\(destination.route) \(destination.presentation.name)"
            if words.last?.bytewise != word.bytewise { words.append(word) }
        }
        return words.joined(separator: " › ").bytewise
    }
}

/// The destinations at the top of the stacks with which two catalogs answer a link.
private struct Tops {
    let old: Top
    let new: Top

    /// Returns a difference of the old destination.
    func difference(_ rule: ChangeRule, from before: ByteText?, to after: ByteText?) -> LinkComparison.Difference {
        let identity = Finding.Identity(rule: rule, subject: old.subject, old: before, new: after)
        return LinkComparison.Difference(identity: identity, oldEdge: old.edge, newEdge: new.edge)
    }
}

/// The top destination of a plan.
private struct Top {
    let route: ByteText
    let edge: Int
    let subject: ChangeSubject

    init(_ plan: RoutePlan, pairing: CatalogPairing) {
        edge = plan.topEdgeNumber ?? 0
        route = pairing.old.routes[pairing.old.edges[edge].child].name.bytewise
        subject = ChangeSubject(route: route, edge: pairing.oldEdges.names[edge])
    }

    init(newPlan plan: RoutePlan, _ pairing: CatalogPairing) {
        edge = plan.topEdgeNumber ?? 0
        route = pairing.new.routes[pairing.new.edges[edge].child].name.bytewise
        subject = ChangeSubject(route: route, edge: pairing.subject(ofNew: edge))
    }
}

extension CatalogPairing {
    /// Returns the place of the change that a link shows, or `nil` if the declarations on both ways are equal.
    func place(of difference: LinkComparison.Difference, link: DeepLink) -> ChangePlace? {
        let (oldWay, newWay) = (difference.oldWay, difference.newWay)
        let (rule, subject) = (difference.identity.rule, difference.identity.subject)
        func first(of old: [Int]) -> ChangePlace? { old.reversed().lazy.compactMap(place(ofChange:)).first }
        func added() -> ChangePlace? { newWay.last { inOld($0) == nil }.map { place(old: nil, new: $0) } }
        func origins(_ code: ByteText?) -> ChangePlace? {
            code == ProblemCode.unknownOrigin.rawValue.bytewise
                ? ChangePlace(owner: .origins(Self.scheme(of: link.text))) : nil
        }
        if let key = rule.requirement { return place(ofRequirement: key, oldWay: oldWay, newWay: newWay) }
        switch rule {
        case .linkDies: return origins(difference.identity.new) ?? first(of: oldWay)
        case .linkRevives:
            return origins(difference.identity.old) ?? added() ?? first(of: newWay.compactMap(inOld))
        case .linkProblemChanged: return nil
        default:
            if let name = subject.parameter, let old = difference.oldEdge, let new = difference.newEdge,
                inNew(old) == new
            {
                return place(ofParameter: name, old: old, new: new)
            }
            return added() ?? first(of: newWay.compactMap(inOld)) ?? first(of: oldWay)
        }
    }
}
