package import DeepLinkCore
package import DeepLinkFormats

/// The decision of an association file about a URL.
package struct AssociationVerdict: Sendable {
    /// Whether the app opens.
    package let opens: Bool

    /// The index of the deciding rule in its list, or `nil` if no rule matches.
    package let rule: Int?

    /// The deciding rule, as written in the file.
    package let component: JSONValue?

    /// Creates a verdict, by a rule or without one.
    init(opens: Bool, rule: Int? = nil, component: JSONValue? = nil) {
        self.opens = opens
        self.rule = rule
        self.component = component
    }

    /// The verdict that the app does not open.
    package static let closed = AssociationVerdict(opens: false)
}

extension AssociationVerdict: WireBody {
    /// Writes the verdict as a JSON object.
    package func write(to writer: inout JSONWriter) {
        writer.object { write(membersTo: &$0) }
    }

    /// Writes the members of the object.
    package func write(membersTo writer: inout JSONWriter) {
        writer.member("opens", opens)
        writer.key("rule")
        if let rule { writer.number(rule) } else { writer.string(nil) }
        writer.key("component")
        writer.json(component ?? .null)
    }
}

/// A platform with a file that lists the links an app opens.
package enum AssociationPlatform: String, CaseIterable, Sendable {
    /// Apple's platforms, with `apple-app-site-association`.
    case ios

    /// Android, with `assetlinks.json`.
    case android
}

/// The remaining budget of matching.
///
/// Files and URLs are untrusted, and a pattern of many alternatives is large and slow.
///
/// Compiling a pattern also spends it, so that it bounds the memory too.
package struct MatchingEffort: Sendable {
    /// The remaining steps.
    package private(set) var steps: Int

    /// Creates a budget of steps, each a few nanoseconds.
    package init(steps: Int = 20_000_000) {
        self.steps = steps
    }

    /// Spends some steps.
    ///
    /// - Throws: ``MatchingEffortError`` if fewer are left.
    mutating func spend(_ count: Int) throws(MatchingEffortError) {
        guard count <= steps else {
            steps = 0
            throw MatchingEffortError()
        }
        steps -= count
    }
}

/// The error of a file that exceeds the budget.
package struct MatchingEffortError: Error {}
