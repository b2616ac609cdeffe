package import DeepLinkCore
package import DeepLinkFormats

/// What a file says of a URL.
package struct AssociationVerdict: Sendable {
    /// Whether the app opens.
    package let opens: Bool

    /// The place of the rule that decides, in its list; `nil` where none does.
    package let rule: Int?

    /// The rule that decides, as the file has it.
    package let component: JSONValue?

    /// The verdict that a rule gives, or that is given without one.
    init(opens: Bool, rule: Int? = nil, component: JSONValue? = nil) {
        self.opens = opens
        self.rule = rule
        self.component = component
    }

    /// The verdict where nothing lets the app open.
    package static let closed = AssociationVerdict(opens: false)
}

extension AssociationVerdict: WireBody {
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
