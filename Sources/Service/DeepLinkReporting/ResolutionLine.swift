import DeepLinkCore
import DeepLinkFormats

/// The writer of lines of the resolution log.
///
/// They contain no values of links, no users and no tokens.
///
/// A resolved link is written as a link to the same destinations, with the simplest value for each parameter, so that
/// it can be replayed. Everything in a line except its time and request id is cached by the edges and the parameters
/// that have a value, since most links differ only in their values.
package struct ResolutionLine {
    /// The key of a cached line for a resolved link: everything that determines it except its time and request id.
    private struct Kind: Hashable {
        let shape: [Int]
        let scheme: ByteText
        let mode: ResolutionRequest.Mode?
        let requirement: Requirement
        let userLevel: AuthorizationLevel
    }

    /// The maximum number of cached kinds of lines.
    private static let maximumCount = 10_000

    private var catalog: RouteCatalog?
    private var words: CatalogWords?
    private var known: [Kind: [UInt8]] = [:]
    private var clock = SecondText()

    /// Creates a writer with an empty cache.
    package init() {}

    /// Writes the line of an event, with its line feed.
    package mutating func write(_ event: LinkEvent, to bytes: inout [UInt8]) {
        remember(event.catalog)
        write(members(event), of: event, to: &bytes)
    }

    /// Writes the line of an event if it is cached except for its time and request id.
    ///
    /// Otherwise it writes nothing, and returns `false`.
    package mutating func writeKnown(_ event: LinkEvent, to bytes: inout [UInt8]) -> Bool {
        guard catalog === event.catalog, let kind = Self.kind(of: event), let members = known[kind] else {
            return false
        }
        write(members, of: event, to: &bytes)
        return true
    }

    /// Copies the cached members of an event from another writer.
    package mutating func learn(_ event: LinkEvent, from other: ResolutionLine) {
        guard other.catalog === event.catalog, let kind = Self.kind(of: event), let members = other.known[kind] else {
            return
        }
        remember(event.catalog)
        remember(members, of: kind)
    }

    private mutating func write(_ members: [UInt8], of event: LinkEvent, to bytes: inout [UInt8]) {
        bytes += "{\"time\":\"".utf8
        clock.write(event.time, to: &bytes)
        bytes += "\",".utf8
        bytes += members
        if !event.requestID.isEmpty {
            bytes += ",\"requestId\":".utf8
            Self.append(event.requestID, to: &bytes)
        }
        bytes += "}\n".utf8
    }

    /// Appends an id in quotes.
    ///
    /// An id created here is written as it is, and a client's id is escaped for JSON.
    private static func append(_ id: String, to bytes: inout [UInt8]) {
        let isPlain = id.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 || $0 >= 0x61 && $0 <= 0x7A }
        guard isPlain else {
            var writer = JSONWriter(reservingCapacity: 64)
            writer.string(id)
            bytes += writer.bytes
            return
        }
        bytes.append(UInt8(ascii: "\""))
        bytes += id.utf8
        bytes.append(UInt8(ascii: "\""))
    }

    private static func kind(of event: LinkEvent) -> Kind? {
        guard event.page == nil, case .resolved(let link) = event.outcome else { return nil }
        let plan = link.plan
        return Kind(
            shape: plan.shape,
            scheme: plan.link.scheme.bytewise,
            mode: event.request?.mode,
            requirement: Requirement(level: plan.requiredLevel, grants: plan.requiredGrants),
            userLevel: plan.userLevel
        )
    }

    private mutating func remember(_ members: [UInt8], of kind: Kind) {
        if known.count >= Self.maximumCount { known = [:] }
        known[kind] = members
    }

    /// The members of a line from the link to the version of the catalog.
    private mutating func members(_ event: LinkEvent) -> [UInt8] {
        let (mode, levels) = (event.request?.mode.rawValue, event.catalog.levels)
        if let page = event.page { return members(of: page, event) }
        switch event.outcome {
        case .resolved(let resolved):
            let plan = resolved.plan
            let kind = Self.kind(of: event)
            if let kind, let members = known[kind] { return members }
            let members = json(
                [
                    ("link", link(of: plan)), ("mode", mode), ("outcome", "resolved"),
                    ("route", plan.topRoute),
                    ("requiredLevel", levels.text(of: plan.requiredLevel)),
                    ("userLevel", levels.text(of: plan.userLevel)),
                ],
                grants: ("requiredGrants", plan.catalog.grants.texts(of: plan.requiredGrants)),
                catalogVersion: event.catalog.version
            )
            if let kind { remember(members, of: kind) }
            return members
        case .gated(let gated):
            let denial = gated.denial
            return json(
                [
                    ("link", link(of: event)), ("mode", mode), ("outcome", "gated"), ("route", denial.route),
                    ("requiredLevel", levels.text(of: denial.requiredLevel)),
                    ("userLevel", levels.text(of: denial.userLevel)),
                    ("gate", denial.gate.map { denial.catalog.text(of: $0.gives) }),
                ],
                grants: ("missing", denial.missingNames),
                catalogVersion: event.catalog.version
            )
        case .failed(let code, _):
            return json(
                [("link", link(of: event)), ("mode", mode), ("outcome", "failed"), ("problem", code.rawValue)],
                catalogVersion: event.catalog.version
            )
        }
    }

    /// Returns the members of the line of a page or redirect.
    private mutating func members(of page: PageVisit.Outcome, _ event: LinkEvent) -> [UInt8] {
        var plan: RoutePlan?
        if case .resolved(let resolved) = event.outcome { plan = resolved.plan }
        return json(
            [("link", link(of: event)), ("outcome", page.rawValue), ("route", plan?.topRoute)],
            catalogVersion: event.catalog.version
        )
    }

    /// Writes members without the surrounding braces: texts, a list of grants unless it is empty, and the version.
    private func json(
        _ members: [(name: String, text: String?)],
        grants: (name: String, texts: [String]) = ("", []),
        catalogVersion: String
    ) -> [UInt8] {
        var writer = JSONWriter()
        writer.members(members)
        if !grants.texts.isEmpty { writer.member(grants.name, texts: grants.texts) }
        writer.member("catalogVersion", catalogVersion)
        return writer.bytes
    }

    private mutating func remember(_ catalog: RouteCatalog) {
        guard self.catalog !== catalog else { return }
        self.catalog = catalog
        words = nil
        known = [:]
    }

    /// Returns the link of an event: a replayable link if it resolves with all permissions, or else a masked one.
    private mutating func link(of event: LinkEvent) -> String? {
        let leadsSomewhere: Bool
        switch event.outcome {
        case .resolved(let resolved): return link(of: resolved.plan)
        case .gated: leadsSomewhere = true
        case .failed(let code, _): leadsSomewhere = code == .otherApp || code == .appUpdateRequired
        }
        guard let request = event.request else { return nil }
        if leadsSomewhere,
            case .plan(let plan) = resolve(request.asked(by: nil), permissions: .all, catalog: event.catalog)
        {
            return link(of: plan)
        }
        return masked(request.link, in: event.catalog)
    }

    private mutating func link(of plan: RoutePlan) -> String {
        ReplayableLink.of(plan) ?? masked(plan.link, in: plan.catalog)
    }

    private mutating func masked(_ link: DeepLink, in catalog: RouteCatalog) -> String {
        let words = words ?? CatalogWords(catalog)
        self.words = words
        return words.masked(link).string
    }
}

/// The texts of times, of which each second is formatted once.
private struct SecondText {
    private var second: Int64 = .min
    private var text: [UInt8] = []

    mutating func write(_ time: Timestamp, to bytes: inout [UInt8]) {
        let milliseconds = time.millisecondsSinceEpoch
        guard milliseconds >= 0 else {
            bytes += time.rfc3339.utf8
            return
        }
        if milliseconds / 1000 != second {
            second = milliseconds / 1000
            text = Timestamp(millisecondsSinceEpoch: second * 1000).rfc3339.utf8.dropLast()
        }
        bytes += text
        let rest = UInt8(truncatingIfNeeded: milliseconds % 1000 / 10)
        let last = UInt8(truncatingIfNeeded: milliseconds % 10)
        bytes += [UInt8(ascii: "."), 0x30 + rest / 10, 0x30 + rest % 10, 0x30 + last, UInt8(ascii: "Z")]
    }
}
