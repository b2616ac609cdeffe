import DeepLinkCore

extension JSONWriter {
    /// Writes the steps that the engine tried, in order; members that do not apply are left out.
    mutating func explanation(_ steps: [ExplanationStep]) {
        array(steps) { writer, step in
            writer.object { writer in
                writer.key("outcome")
                writer.string(step.outcome.rawValue)
                let texts = [
                    ("route", step.route), ("pattern", step.pattern), ("segment", step.segment),
                    ("parameter", step.parameter), ("expected", step.expected),
                    ("requiredLevel", step.requiredLevel),
                ]
                for case (let name, let text?) in texts {
                    writer.key(name)
                    writer.string(text)
                }
                if let missing = step.missing {
                    writer.key("missing")
                    writer.array(missing) { $0.string($1) }
                }
                if let offset = step.offset {
                    writer.key("offset")
                    writer.number(offset)
                }
                if let length = step.length {
                    writer.key("length")
                    writer.number(length)
                }
                writer.key("reason")
                writer.string(step.reason)
            }
        }
    }
}
