import DeepLinkCore

extension Decision {
    /// The advice on a problem, as a sentence with a space before it; empty if there is none.
    package var advice: String {
        switch outcome {
        case .resolution(.denial(let denial)):
            let gate = denial.gate.map { gate in
                " The way there is \(gate.link), which gives \(denial.catalog.text(of: gate.gives))"
                    + (gate.stack == nil ? "; the app is too old for it." : ".")
            }
            return gate ?? ""
        case .resolution(.outdated(let update)): return update.storeLink.map { " It is updated at \($0)." } ?? ""
        case .resolution(.failure(let failure)): return failure.hint.map { " " + $0 } ?? ""
        case .resolution(.plan), .refusal: return ""
        }
    }
}
