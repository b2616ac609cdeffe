package import DeepLinkCore

/// A member of a problem, for programs.
package struct ProblemExtension: Sendable {
    private enum Value: Sendable {
        case string(String?)
        case number(Int)
        case strings([String])
        case stack([Destination])
        case token(String)
        case gate(GateDirections, catalog: RouteCatalog)
        case explanation([ExplanationStep])
        case issues([CatalogIssue])
    }

    /// The maximum length of a text, in bytes: the maximum length of a link, so that any part of one is repeated whole.
    private static let maximumTextByteCount = 8192

    /// The member's name.
    let name: String

    private let value: Value

    /// Creates a member with a text, truncated if it is too long, or `null`.
    package init(_ name: String, text: String?) {
        self.name = name
        value = .string(text?.truncated(toByteCount: Self.maximumTextByteCount))
    }

    /// Creates a member with a token.
    ///
    /// It is never truncated. Its issuer limits its length.
    package init(_ name: String, token: String) {
        self.name = name
        value = .token(token)
    }

    /// Creates a member with a whole number.
    package init(_ name: String, number: Int) {
        self.name = name
        value = .number(number)
    }

    /// Creates a member with a list of texts.
    package init(_ name: String, texts: [String]) {
        self.name = name
        value = .strings(texts)
    }

    /// Creates a member with a navigation stack.
    package init(_ name: String, stack: [Destination]) {
        self.name = name
        value = .stack(stack)
    }

    /// Creates a member with the link to a gate.
    ///
    /// The catalog has the name of the level or grant that the gate gives.
    package init(_ name: String, gate: GateDirections, catalog: RouteCatalog) {
        self.name = name
        value = .gate(gate, catalog: catalog)
    }

    /// Creates a member with the issues of a catalog.
    package init(_ name: String, issues: [CatalogIssue]) {
        self.name = name
        value = .issues(issues)
    }

    /// Creates a member with the tried steps.
    package init(_ name: String, steps: [ExplanationStep]) {
        self.name = name
        value = .explanation(steps)
    }

    func write(to writer: inout JSONWriter) {
        writer.key(name)
        switch value {
        case .string(let text): writer.string(text)
        case .token(let token): writer.string(token)
        case .number(let number): writer.number(number)
        case .strings(let texts): writer.array(texts) { $0.string($1) }
        case .stack(let stack): writer.stack(stack)
        case .explanation(let steps): writer.explanation(steps)
        case .issues(let issues): writer.array(issues) { $0.issue($1) }
        case .gate(let gate, let catalog):
            writer.object { writer in
                writer.member(gate.gives.grant == nil ? "level" : "grant", catalog.text(of: gate.gives))
                writer.member("link", gate.link)
                if let stack = gate.stack {
                    writer.key("stack")
                    writer.stack(stack)
                }
                guard let transition = gate.transition else { return }
                writer.key("transition")
                writer.transition(transition)
            }
        }
    }
}

extension JSONWriter {
    /// Writes an issue with its place.
    package mutating func issue(_ issue: CatalogIssue) {
        object { writer in
            writer.member("line", issue.location.line)
            writer.member("column", issue.location.column)
            writer.member("severity", issue.code.severity.rawValue)
            writer.member("code", issue.code.rawValue)
            writer.member("message", issue.message)
            writer.member("hint", issue.hint)
        }
    }
}
