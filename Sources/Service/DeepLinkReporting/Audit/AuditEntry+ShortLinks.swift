package import DeepLinkCore
import DeepLinkFormats
package import DeepLinkStorage

extension AuditEntry {
    /// Creates the line for a change of a short link, or returns `nil` if nothing changed.
    ///
    /// The line has the routes of the destination but no values.
    ///
    /// For a link about a user it has the user's name in place of the code, since the code would identify the person
    /// after an erasure.
    package init?(
        _ saved: ShortLinkWriteResult,
        at time: Timestamp,
        by actor: AuditActor,
        from origin: AuditOrigin = AuditOrigin(),
        requestID: String = ""
    ) {
        let action: AuditAction
        switch saved.effect {
        case .unchanged, .known: return nil
        case .made: action = .makeShortLink
        case .replaced: action = saved.link.contents.isWithdrawn ? .withdrawShortLink : .replaceShortLink
        }
        let about = saved.link.contents.about ?? saved.former?.contents.about
        self.init(
            action,
            of: .shortLink(
                code: about == nil ? saved.link.code.text : nil,
                about: about.flatMap { saved.auditNames[$0] }
            ),
            at: time,
            by: actor,
            from: origin,
            before: saved.former.map { .facts(saved.facts(of: $0.contents)) },
            after: .facts(saved.facts(of: saved.link.contents)),
            requestID: requestID
        )
    }
}

extension ShortLinkWriteResult {
    fileprivate func facts(of contents: ShortLinkContents) -> [(name: String, value: JSONValue)] {
        let routes = contents.target.shape.destinations ?? []
        var facts: [(name: String, value: JSONValue)] = [("routes", .array(routes.map { .string($0.route) }))]
        if let label = contents.label { facts.append(("label", .string(label.text))) }
        if let expires = contents.expires { facts.append(("expires", .string(expires.rfc3339))) }
        if let name = contents.about.flatMap({ auditNames[$0] }) { facts.append(("about", .string(name.text))) }
        if contents.isWithdrawn { facts.append(("withdrawn", .bool(true))) }
        return facts
    }
}
