import DeepLinkClientCode
import DeepLinkCore

/// A value of a new plan that published apps cannot read with the types of the old catalog.
struct IncompatibleValue {
    /// The name of the route in the old catalog.
    let route: ByteText

    let fault: GeneratedTypes.Fault

    /// The edge of the new catalog that sets the value, or lacks it.
    let newEdge: Int
}

/// The values that published apps cannot read, each with a link to a plan that contains it.
struct IncompatibleValues: Sendable {
    private struct Key: Hashable {
        let route: ByteText
        let fault: GeneratedTypes.Fault
    }

    private var links: [Key: (link: String, newEdge: Int)] = [:]
    private var order: [Key] = []

    /// The maximum number of distinct values.
    private static let maximumCount = 20_000

    mutating func note(_ value: IncompatibleValue, link: String) {
        note(Key(route: value.route, fault: value.fault), link: (link, value.newEdge))
    }

    mutating func add(_ others: IncompatibleValues) {
        for key in others.order {
            if let link = others.links[key] { note(key, link: link) }
        }
    }

    private mutating func note(_ key: Key, link: (String, Int)) {
        guard links[key] == nil, order.count < Self.maximumCount else { return }
        links[key] = link
        order.append(key)
    }

    /// Returns the link that shows a finding about unreadable values.
    func link(of finding: Finding) -> String? {
        guard finding.harms[.apps] == .breaking, let route = finding.identity.subject.route,
            let parameter = finding.identity.subject.parameter
        else { return nil }
        return [GeneratedTypes.Fault.Reason.missing, .otherKind].lazy
            .compactMap { links[Key(route: route, fault: .init(parameter: parameter, reason: $0))]?.link }
            .first
    }

    /// Returns findings for the unreadable values that no finding covers yet.
    func findings(_ pairing: CatalogPairing, beside told: [Finding]) -> [Finding] {
        guard !order.isEmpty else { return told }
        var worst: [ChangeSubject: Severity] = [:]
        for finding in told {
            guard let harm = finding.harms[.apps] else { continue }
            let subject = finding.identity.subject
            let value = ChangeSubject(route: subject.route, parameter: subject.parameter)
            worst[value] = max(harm, worst[value] ?? .info)
        }
        return told
            + order.compactMap { key in
                guard let (link, edge) = links[key] else { return nil }
                let severity: Severity = key.fault.reason == .unknownWord ? .risk : .breaking
                let value = ChangeSubject(route: key.route, parameter: key.fault.parameter)
                guard worst[value].map({ $0 < severity }) ?? true else { return nil }
                return finding(key, severity: severity, pairing: pairing, link: link, edge: edge)
            }
    }

    private func finding(
        _ key: Key,
        severity: Severity,
        pairing: CatalogPairing,
        link: String,
        edge: Int
    ) -> Finding {
        let parameter = pairing.new.edges[edge].parameter(key.fault.parameter)
        let (rule, old, new): (ChangeRule, String?, String?) =
            switch key.fault.reason {
            case .missing where parameter == nil: (.parameterRemoved, "always there", nil)
            case .missing: (.parameterOptional, "always there", "optional")
            case .otherKind: (.parameterTypeChanged, nil, parameter?.type.name)
            case .unknownWord: (.parameterWidened, nil, parameter?.type.expectation)
            }
        var finding = Finding(
            rule,
            of: ChangeSubject(route: key.route, edge: pairing.subject(ofNew: edge), parameter: key.fault.parameter),
            from: old?.bytewise,
            to: new?.bytewise,
            harms: rule.harms.merging([.apps: severity]) { max($0, $1) }
        )
        finding.witness = link
        let place = pairing.inOld(edge).map { pairing.place(ofParameter: key.fault.parameter, old: $0, new: edge) }
        pairing.locate(&finding, at: place ?? pairing.place(old: nil, new: edge), newEdge: edge)
        return finding
    }
}
