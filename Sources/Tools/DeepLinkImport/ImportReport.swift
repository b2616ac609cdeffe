import DeepLinkCore

/// The report of an import: what was read, what the draft cannot say, and what a person should decide.
package struct ImportReport: Sendable {
    /// The links that a draft does not resolve for one reason.
    private struct Refusal: Sendable {
        var links: Int
        let example: String
        let place: String
    }

    /// The largest number of lines of each part.
    private static let shownCount = 20

    /// The largest number of reasons.
    private static let maximumReasonCount = 200

    private let linkCount: Int
    private let foreign: [String]
    private let rare: [String]
    private let languages: [String]
    private let campaignKeys: [String]
    private let questions: [String]
    private let leftOut: [String]
    private var refusals: [ByteText: Refusal] = [:]

    /// The number of links that the draft does not resolve.
    package private(set) var refusedCount = 0

    /// The number of lines that are no link.
    package private(set) var faultCount = 0

    init(_ inference: LinkInference, questions: [String], leftOut: [String]) {
        linkCount = inference.linkCount
        foreign = inference.choice.foreign.map { "\($0.name): \($0.linkCount.counted("link")), \($0.reason)" }
        rare = inference.choice.rare.map { "\($0.name): \($0.linkCount.counted("link"))" }
        languages = inference.languages
        campaignKeys = inference.campaignKeys.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.key)" }
        self.questions = questions
        self.leftOut = leftOut
    }

    /// Counts lines that are no link, which were named before.
    package mutating func note(faults: Int) { faultCount += faults }

    /// Counts a link that the draft does not resolve.
    mutating func note(refused link: String, at place: String, because reason: String) {
        refusedCount += 1
        let key =
            refusals.count < Self.maximumReasonCount || refusals[reason.bytewise] != nil
            ? reason.bytewise : "other reasons"
        if refusals[key] == nil {
            refusals[key] = Refusal(links: 1, example: link, place: place)
        } else {
            refusals[key]?.links += 1
        }
    }

    /// The report for people.
    ///
    /// - Parameter routeCount: The number of routes of the draft.
    /// - Returns: The lines.
    package func lines(routeCount: Int) -> [String] {
        var lines = ["\(linkCount.counted("link")) read, \(routeCount.counted("route")) drafted"]
        if faultCount > 0 { lines.append("\(faultCount.counted("line")) left out: no links") }
        if refusedCount > 0 { lines.append("\(refusedCount.counted("link")) refused by the draft:") }
        let sorted = refusals.sorted { ($1.value.links, $0.key) < ($0.value.links, $1.key) }
        for (reason, refusal) in sorted.prefix(Self.shownCount) {
            lines.append("  \(refusal.links.counted("link")): \(reason)")
            lines.append("      such as \(refusal.place): \(Self.shortened(refusal.example))")
        }
        add("hosts that look foreign, without an origin:", foreign, to: &lines)
        add("hosts that are linked rarely, with an origin:", rare, to: &lines)
        if !languages.isEmpty { lines.append("languages, as aliases: \(languages.joined(separator: " "))") }
        if !campaignKeys.isEmpty {
            lines.append(
                "keys of campaigns, no parameters: \(campaignKeys.prefix(Self.shownCount).joined(separator: " "))"
            )
        }
        add("left out:", leftOut, to: &lines)
        add("to decide:", questions, to: &lines)
        return lines
    }

    private func add(_ heading: String, _ items: [String], to lines: inout [String]) {
        guard !items.isEmpty else { return }
        lines.append(heading)
        for item in items.prefix(Self.shownCount) { lines.append("  \(item)") }
        if items.count > Self.shownCount { lines.append("  and \(items.count - Self.shownCount) more") }
    }

    private static func shortened(_ link: String) -> String {
        link.utf8.count <= 200 ? link : String(decoding: link.utf8.prefix(200), as: UTF8.self) + "…"
    }
}
