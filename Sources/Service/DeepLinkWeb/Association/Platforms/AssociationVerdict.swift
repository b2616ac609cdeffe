package import DeepLinkCore
package import DeepLinkFormats

/// The decision of a file about a URL.
package struct AssociationVerdict: Sendable {
    /// Whether the app opens.
    package let opens: Bool

    /// The index of the rule that decides, in its list; `nil` if none does.
    package let rule: Int?

    /// The rule that decides, as written in the file.
    package let component: JSONValue?

    /// Creates a verdict of a rule, or one without a rule.
    init(opens: Bool, rule: Int? = nil, component: JSONValue? = nil) {
        self.opens = opens
        self.rule = rule
        self.component = component
    }

    /// The verdict if nothing opens the app.
    package static let closed = AssociationVerdict(opens: false)
}

extension AssociationVerdict: WireBody {
    /// Writes the verdict as a JSON object.
    package func write(to writer: inout JSONWriter) {
        writer.object { write(membersTo: &$0) }
    }

    /// Writes the members of the object.
    package func write(membersTo writer: inout JSONWriter) {
        writer.key("opens")
        writer.value(.bool(opens))
        writer.key("rule")
        if let rule { writer.number(rule) } else { writer.string(nil) }
        writer.key("component")
        writer.json(component ?? .null)
    }
}
