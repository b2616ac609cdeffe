import DeepLinkCore

/// One change of a catalog, with similar findings about the change itself and the findings that follow from them.
package struct ReportedChange: Sendable {
    /// The findings about the change itself, worst first.
    package let findings: [Finding]

    /// The findings that follow from the change, grouped by similarity, worst first.
    package let consequences: [AlikeFindings]

    /// The findings about the change itself, as one group.
    package var alike: AlikeFindings { AlikeFindings(findings: findings) }

    /// All findings of the change.
    private var all: [Finding] { findings + consequences.flatMap(\.findings) }

    /// Whether all potentially harmful findings are accepted.
    package var isAccepted: Bool {
        all.contains { $0.acceptance != nil } && all.allSatisfy { $0.acceptance != nil || $0.severity == .info }
    }

    /// The highest severity that isn't accepted, or the highest of all findings if all are accepted.
    package var severity: Severity { (isAccepted ? nil : worst) ?? all.map(\.severity).max() ?? .info }

    /// The highest severity that isn't accepted, or `nil` if all findings are.
    package var worst: Severity? { all.filter { $0.acceptance == nil }.map(\.severity).max() }

    /// The severity for people, and whether the change is accepted.
    var state: String { severity.name + (isAccepted ? " (accepted)" : "") }
}

/// Findings that have the same message about several subjects.
package struct AlikeFindings: Sendable {
    /// The findings, at least one.
    package let findings: [Finding]

    /// The maximum number of subjects that are named in addition to the first.
    private static let maximumNamedCount = 3

    /// The first finding, with the total counts of all findings.
    var first: Finding {
        var first = findings[0]
        first.linkCount = findings.reduce(0) { $0 + $1.linkCount }
        first.openCount = findings.reduce(0) { $0 + $1.openCount }
        first.userCount = findings.compactMap(\.userCount).max()
        first.shortLinkCount = findings.compactMap(\.shortLinkCount).reduce(0, +)
        if findings.allSatisfy({ $0.shortLinkCount == nil }) { first.shortLinkCount = nil }
        return first
    }

    /// The change as a sentence about the first subject, followed by the other subjects.
    package var message: String {
        let others = findings.dropFirst().map(\.identity.subject.text).filter { !$0.isEmpty }
        guard !others.isEmpty else { return findings[0].message }
        let named = others.prefix(Self.maximumNamedCount).joined(separator: ", ")
        let rest = others.count > Self.maximumNamedCount ? " and \(others.count - Self.maximumNamedCount) more" : ""
        return "\(findings[0].message); the same for \(named)\(rest)"
    }

    /// The links that show widened access, without duplicates.
    var widenedLinks: [String] {
        var known: Set<ByteText> = []
        return findings.filter(\.rule.widensAccess).flatMap(\.links).filter { known.insert($0.bytewise).inserted }
    }
}

extension ReportedChange {
    /// The minimum number of similar changes of edges that are reported as one change.
    private static let manyCount = 4

    /// The common properties of findings with the same message about several subjects.
    private struct GroupKey: Hashable {
        let rule: ChangeRule
        let severity: Severity
        let isAccepted: Bool
        let message: String

        init(_ finding: Finding) {
            rule = finding.rule
            severity = finding.severity
            isAccepted = finding.acceptance != nil
            message = finding.message(about: "")
        }
    }

    /// Groups findings by the place of their change, and numbers them.
    ///
    /// - Parameter findings: the findings in reading order, which get the numbers of their changes.
    /// - Returns: the changes, in the order of their first findings.
    /// - Complexity: linear in the findings.
    static func all(of findings: inout [Finding]) -> [ReportedChange] {
        let groups = findings.indices.grouped { findings[$0].place }
        let parts = joined(groups.map { part(of: $0, in: findings) }, in: findings)
        for (number, part) in parts.enumerated() {
            for index in part.own + part.following { findings[index].changeNumber = number + 1 }
            for index in part.following { findings[index].isConsequence = true }
        }
        return parts.map { part in
            ReportedChange(
                findings: part.own.map { findings[$0] },
                consequences: part.following.map { findings[$0] }.grouped(by: GroupKey.init)
                    .map(AlikeFindings.init)
            )
        }
    }

    /// The indexes of a change's findings: findings about the change itself, and findings that follow.
    private typealias Part = (own: [Int], following: [Int])

    private static func part(of group: [Int], in findings: [Finding]) -> Part {
        // A declaration explains the changes of its links.
        let head =
            group.first { findings[$0].rule.isOfRoutes } ?? group.first { !findings[$0].rule.isEffect } ?? group[0]
        let likeness = GroupKey(findings[head])
        let own = group.filter { $0 == head || GroupKey(findings[$0]) == likeness }
        return ([head] + own.filter { $0 != head }, group.filter { !own.contains($0) })
    }

    /// Joins similar changes of edges, if there are many.
    private static func joined(_ parts: [Part], in findings: [Finding]) -> [Part] {
        var alike: [GroupKey: [Int]] = [:]
        for (place, part) in parts.enumerated() where findings[part.own[0]].rule.isOfEdges {
            alike[GroupKey(findings[part.own[0]]), default: []].append(place)
        }
        var joined = parts
        var isGone = [Bool](repeating: false, count: parts.count)
        for places in alike.values where places.count >= manyCount {
            joined[places[0]] = (places.flatMap { parts[$0].own }, places.flatMap { parts[$0].following }.sorted())
            for place in places.dropFirst() { isGone[place] = true }
        }
        return zip(joined, isGone).filter { !$0.1 }.map(\.0)
    }
}

extension ChangeRule {
    /// Whether a change of this kind follows from another one at its place, as an effect on links or on older apps.
    fileprivate var isEffect: Bool {
        switch self {
        case .linkDies, .linkDestinationChanged, .linkCaptured, .linkStackChanged, .linkParametersChanged,
            .linkCanonicalChanged, .linkRevives, .linkProblemChanged, .levelLowered, .levelRaised,
            .requirementLowered, .requirementRaised, .appVersionLowered, .appVersionRaised, .signatureDropped,
            .signatureRequired, .routeAppChanged, .presentationUnknownToOlder:
            true
        default: false
        }
    }

    /// Whether the change affects a route as a whole, including its edges.
    fileprivate var isOfRoutes: Bool { [.routeRemoved, .routeAdded, .routeRenamed].contains(self) }

    /// Whether the change affects an edge, so that a catalog may have many similar changes.
    fileprivate var isOfEdges: Bool {
        [.edgeAdded, .edgeRemoved, .edgeNotLinkable, .presentationChanged, .initialChanged].contains(self)
    }
}
