package import DeepLinkCore
package import DeepLinkFormats

/// The answer to the query whether a phone opens a URL in an app.
package struct AssociationAnswer: Sendable {
    /// The resolution of the URL by the catalog itself, for a user with all permissions.
    package enum Shown: Sendable {
        /// The stack that the app shows, root first.
        case stack([Destination])

        /// The problem of a URL that does not resolve.
        case problem(Problem)

        /// Resolves a URL, and checks its signature if a route needs one.
        package init(
            _ url: String,
            catalog: RouteCatalog,
            keys verifier: some SignatureVerifier,
            at time: @autoclosure () -> Timestamp
        ) {
            let request: ResolutionRequest
            do throws(LinkSyntaxError) {
                request = ResolutionRequest(link: try DeepLink(url))
            } catch {
                self = .problem(Problem(error))
                return
            }
            let decision = decide(request, permissions: .all, catalog: catalog, keys: verifier, at: time())
            do throws(Problem) {
                self = .stack(try decision.plan().stack)
            } catch {
                self = .problem(error)
            }
        }
    }

    /// The verdict of the file.
    package let verdict: AssociationVerdict

    /// The resolution by Waymark, if the file is the catalog's own.
    package let shown: Shown?

    /// Creates an answer.
    package init(verdict: AssociationVerdict, shown: Shown? = nil) {
        self.verdict = verdict
        self.shown = shown
    }

    /// The lines of the answer for a person.
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
    /// Writes the answer as a JSON object.
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
