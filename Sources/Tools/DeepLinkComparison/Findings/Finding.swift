package import DeepLinkCore

/// One reported change, with a link that shows it.
package struct Finding: Sendable {
    /// The identity of a change, independent of its wording.
    package struct Identity: Hashable, Sendable {
        /// The kind of change.
        package let rule: ChangeRule

        /// The changed declaration, by the names in the catalogs.
        package internal(set) var subject: ChangeSubject

        /// The old value, or `nil` if the subject is new.
        package let old: ByteText?

        /// The new value, or `nil` if the subject is gone.
        package let new: ByteText?

        /// Creates an identity from its parts.
        package init(rule: ChangeRule, subject: ChangeSubject, old: ByteText?, new: ByteText?) {
            self.rule = rule
            self.subject = subject
            self.old = old
            self.new = new
        }
    }

    /// The identity of the change.
    package internal(set) var identity: Identity

    /// The audiences that are harmed, with the severity.
    package var harms: [ChangeAudience: Severity]

    /// The location in the old catalog.
    package var oldLocation: SourceLocation?

    /// The location in the new catalog.
    package var newLocation: SourceLocation?

    /// The part of the catalogs that was changed, or `nil` if it isn't known.
    var place: ChangePlace?

    /// The number of the change in a report, counted from 1.
    ///
    /// Similar findings and consequences share the number.
    package internal(set) var changeNumber = 0

    /// Whether the finding follows from another one of the same change.
    package internal(set) var isConsequence = false

    /// The effect on the links of the subject, in words, or `nil` for the words of the rule.
    var words: String?

    /// A link that shows the change.
    package var witness: String?

    /// The links that show the change, all of them up to ``maximumNamedCount`` if it widens access.
    package var links: [String] = []

    /// The number of recorded links that the change affects.
    package var linkCount = 0

    /// The number of times that these links were opened.
    package var openCount = 0

    /// The number of stored users that the change affects, or `nil` if they weren't counted.
    package var userCount: Int?

    /// The number of short links that the change breaks, or `nil` if they weren't counted.
    package var shortLinkCount: Int?

    /// The entry that accepts the change.
    package var acceptance: AcceptedChange?

    /// The maximum number of links in a finding.
    static let maximumNamedCount = 10_000

    init(_ identity: Identity, harms: [ChangeAudience: Severity]? = nil) {
        self.identity = identity
        self.harms = harms ?? identity.rule.harms
    }

    init(
        _ rule: ChangeRule,
        of subject: ChangeSubject = ChangeSubject(),
        from old: ByteText? = nil,
        to new: ByteText? = nil,
        harms: [ChangeAudience: Severity]? = nil
    ) {
        self.init(Identity(rule: rule, subject: subject, old: old, new: new), harms: harms)
    }

    /// Adds further links that show the change, up to the maximum number.
    mutating func name(_ others: [String]) {
        links += others.prefix(max(0, Self.maximumNamedCount - links.count))
    }

    /// Returns the finding with its harm to some audiences and the entry that accepts it, or `nil` if it harms none.
    ///
    /// Each link is named once, because several witnesses of an edge may be one link.
    func reported(for audiences: [ChangeAudience], accepting entries: [AcceptedChange]) -> Finding? {
        var (finding, known) = (self, Set<ByteText>())
        if audiences.count != ChangeAudience.allCases.count {
            finding.harms = harms.filter { audiences.contains($0.key) }
            guard !finding.harms.isEmpty else { return nil }
        }
        finding.links.removeAll { !known.insert($0.bytewise).inserted }
        finding.acceptance = entries.first { $0.identity == identity }
        return finding
    }

    /// The kind of change.
    package var rule: ChangeRule { identity.rule }

    /// The app version that shows the change of the witness, or `nil` if versions don't matter or the witness is
    /// missing.
    ///
    /// In this version, one of the catalogs opens the link, and the other requires an update.
    package var witnessApp: String? {
        guard witness != nil else { return nil }
        let (lower, higher) =
            switch rule {
            case .appVersionRaised: (identity.old, identity.new)
            case .appVersionLowered: (identity.new, identity.old)
            default: (nil as ByteText?, nil as ByteText?)
            }
        if let lower { return lower.string }
        // One of the catalogs accepts any version.
        return higher.flatMap { AppVersion($0.string) }.map { "\($0.textWithoutNumber)/0" }
    }

    /// The highest severity for any audience.
    package var severity: Severity { harms.values.max() ?? .info }

    /// The audiences that are harmed, worst first.
    package var audiences: [ChangeAudience] {
        ChangeAudience.allCases.filter { harms[$0] != nil }
            .enumerated()
            .sorted { (harms[$1.element] ?? .info, $0.offset) < (harms[$0.element] ?? .info, $1.offset) }
            .map(\.element)
    }

    /// The position in a report: widened access first, then links that die, then changes, worst first.
    var rank: Int {
        switch (rule, severity) {
        case (.levelLowered, _), (.requirementLowered, _), (.signatureDropped, _): 0
        case (.linkDies, _): 1
        case (_, .breaking): 2
        case (_, .risk): 3
        case (_, .info): 4
        }
    }

    /// The change as a sentence.
    package var message: String { message(about: identity.subject.text) }

    /// Returns the change as a sentence about a subject.
    ///
    /// Similar findings differ only in the subject.
    func message(about subject: String) -> String {
        if let words { return "links of \(subject) \(words)" }
        let (old, new) = (identity.old?.string ?? "nothing", identity.new?.string ?? "nothing")
        return switch rule {
        case .linkDies: "links to \(subject) die: \(new)"
        case .shortLinksBreak:
            "\(ComparisonReport.grouped(shortLinkCount ?? 0)) short link\(shortLinkCount == 1 ? "" : "s") to \(subject) "
                + (shortLinkCount == 1 ? "breaks" : "break")
        case .routeRemoved: "the route \(subject) is gone"
        case .routeAdded: "the route \(subject) is new"
        case .linkRevives: "links to \(subject) live: they were \(old)"
        case .linkDestinationChanged where identity.subject.parameter == nil, .linkCaptured:
            "links to \(subject) lead to `\(new)`"
        case .linkProblemChanged: "links that were \(old) are \(new)"
        // The requirement has the same name, but its position on the ladder has changed.
        case .levelLowered where identity.old == identity.new: "\(subject) opens to users with \(new), who are more now"
        case .levelRaised where identity.old == identity.new: "\(subject) takes \(new), which fewer users have now"
        case .levelLowered: "\(subject) opens to users with \(new), no longer only to those with \(old)"
        case .signatureDropped: "\(subject) opens to links without a signature"
        case .levelRaised: "\(subject) takes \(new), no longer only \(old)"
        case .requirementLowered where identity.subject.route == nil:
            "\(subject) is what apps assert, no longer what users are given"
        case .requirementRaised where identity.subject.route == nil:
            "\(subject) is what users are given, no longer what apps assert"
        case .requirementLowered, .requirementRaised: "\(subject) takes \(new), no longer \(old)"
        case .grantAdded: "the grant \(subject) is new"
        case .grantRemoved: "the grant \(subject) is gone"
        case .levelsReordered: "the levels were \(old); they are \(new)"
        case .routeAppChanged:
            "\(subject) opens in \(AppPairing.words(new.bytewise)), no longer "
                + (identity.new == AppPairing.every ? "only " : "") + "in \(AppPairing.words(old.bytewise))"
        case .appRemoved: "\(AppPairing.words(old.bytewise)) is gone"
        case .appAdded: "\(AppPairing.words(new.bytewise)) is new"
        case .appVersionRaised: "\(subject) takes the app from \(new) on, which took \(identity.old?.string ?? "any")"
        case .appVersionLowered:
            "\(subject) takes \(identity.new.map { "the app from \($0.string) on" } ?? "any app"), which took \(old)"
        default: declared(subject)
        }
    }

    private func declared(_ subject: String) -> String {
        let change =
            switch (identity.old, identity.new) {
            case (let old?, let new?): "was \(old), is \(new)"
            case (let old?, nil): "was \(old), is gone"
            case (nil, let new?): "is new: \(new)"
            case (nil, nil): "differs"
            }
        return subject.isEmpty ? change : "\(subject) \(change)"
    }
}

/// An audience that a change of a catalog may harm.
package enum ChangeAudience: String, CaseIterable, Sendable {
    /// Users who open a published link.
    case links

    /// Published apps. They read the new catalog's plans with types generated from the old one.
    case apps

    /// Code that is generated from the catalog, or written against its names.
    case code

    /// Access control: users may reach other screens than before.
    case access
}

/// The severity of a change for an audience, in ascending order.
package enum Severity: CaseIterable, Comparable, Sendable {
    /// No harm.
    case info

    /// Possible harm. A person must judge it.
    case risk

    /// Certain harm.
    case breaking

    /// The name in reports and on the command line.
    package var name: String {
        switch self {
        case .info: "info"
        case .risk: "risk"
        case .breaking: "break"
        }
    }

    /// Creates a severity from its name, or returns `nil` for any other text.
    package init?(name: String) {
        guard let severity = Self.allCases.first(where: { $0.name.bytewise == name.bytewise }) else { return nil }
        self = severity
    }
}

/// A change that is known and intended, with a reason and an end date.
package struct AcceptedChange: Sendable {
    /// The identity of the change, without its wording.
    package let identity: Finding.Identity

    /// The reason for accepting the change.
    package let reason: String

    /// The last day on which the entry is valid, as `YYYY-MM-DD`.
    package let until: String

    /// The line of the entry in its file.
    package let line: Int

    /// Creates an entry.
    package init(identity: Finding.Identity, reason: String, until: String, line: Int) {
        self.identity = identity
        self.reason = reason
        self.until = until
        self.line = line
    }
}
