package import DeepLinkCore
package import DeepLinkFormats

/// The answer to a question whether a phone opens a URL in an app.
package struct AssociationAnswer: Sendable {
    /// What a catalog's own answer to the URL is, for a user who may go anywhere.
    package enum Shown: Sendable {
        /// The stack that the app shows, root first.
        case stack([Destination])

        /// Why there is none.
        case problem(Problem)

        /// Resolves a URL.
        package init(_ url: String, _ catalog: RouteCatalog) {
            do throws(LinkSyntaxError) {
                let request = ResolutionRequest(link: try DeepLink(url))
                self =
                    switch resolve(request, userLevel: .premiumUser, catalog: catalog) {
                    case .plan(let plan): .stack(plan.stack)
                    case .denial(let denial): .problem(Problem(denial))
                    case .outdated(let update): .problem(Problem(update))
                    case .failure(let failure): .problem(Problem(failure))
                    }
            } catch {
                self = .problem(Problem(error))
            }
        }
    }

    /// What the file says.
    package let verdict: AssociationVerdict

    /// What Waymark shows, where the file is the catalog's own.
    package let shown: Shown?

    /// Puts an answer together.
    package init(verdict: AssociationVerdict, shown: Shown? = nil) {
        self.verdict = verdict
        self.shown = shown
    }

    /// The answer for people.
    package var lines: [String] {
        var lines = [verdict.opens ? "opens the app" : "does not open the app"]
        if let rule = verdict.rule, let component = verdict.component {
            var writer = JSONWriter()
            writer.json(component)
            lines.append("rule      \(rule): \(String(decoding: writer.bytes, as: UTF8.self))")
        } else {
            lines.append("rule      none")
        }
        switch shown {
        case .stack(let stack)?: lines.append("shows     " + stack.map(\.route).joined(separator: " › "))
        case .problem(let problem)?: lines.append("shows     nothing: \(problem.code.rawValue)")
        case nil: break
        }
        return lines
    }
}

extension AssociationAnswer: WireBody {
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            verdict.write(membersTo: &writer)
            switch shown {
            case .stack(let stack)?:
                writer.key("stack")
                writer.stack(stack)
            case .problem(let problem)?:
                writer.key("problem")
                writer.string(problem.code.rawValue)
            case nil: break
            }
        }
    }
}
