package import DeepLinkCore

extension Problem {
    /// Creates the problem of a link without a valid signature, by its reason.
    package init(_ refusal: SignatureRefusal) {
        let route = ProblemExtension("route", text: refusal.demand.route)
        switch refusal {
        case .missing: self.init(.signatureRequired, detail: refusal.message, extensions: [route])
        case .invalid(let fault, _):
            self.init(
                .invalidSignature,
                detail: refusal.message,
                extensions: [route, .init("reason", text: fault.rawValue)]
            )
        }
    }
}

extension Resolution {
    /// Returns the plan.
    ///
    /// - Throws: `Problem` for every other answer.
    package func plan() throws(Problem) -> RoutePlan {
        switch self {
        case .plan(let plan): return plan
        case .denial(let denial): throw Problem(denial)
        case .outdated(let update): throw Problem(update)
        case .failure(let failure): throw Problem(failure)
        }
    }
}

extension Decision {
    /// Returns the plan.
    ///
    /// - Throws: `Problem` for every other outcome.
    package func plan() throws(Problem) -> RoutePlan {
        switch outcome {
        case .resolution(let resolution): try resolution.plan()
        case .refusal(let refusal): throw Problem(refusal)
        }
    }

    /// Advice on the problem, as a sentence with a leading space, or an empty text.
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
