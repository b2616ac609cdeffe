import DeepLinkCore

/// The `assetlinks.json` of a host, generated from the shapes of its links.
enum AndroidFile {
    private static let relation = "delegate_permission/common.handle_all_urls"

    /// The relation of an app that shares the host's passwords and passkeys.
    private static let credentials = "delegate_permission/common.get_login_creds"

    /// Returns the file: one statement for each package, with the rules of its app.
    static func json(_ handed: [HandedLinks]) -> [UInt8] {
        let statements = handed.flatMap { links in
            let rules = rules(links.links, order: links.order)
            return links.app.android.map { (app: $0, rules: rules) }
        }
        var writer = JSONWriter()
        writer.array(statements) { writer, statement in
            let app = statement.app
            writer.object { writer in
                writer.member("relation", texts: app.sharesCredentials ? [relation, credentials] : [relation])
                writer.member("target") { writer in
                    writer.member("namespace", "android_app")
                    writer.member("package_name", app.package)
                    writer.member("sha256_cert_fingerprints", texts: app.fingerprints)
                }
                writer.member("relation_extensions") { writer in
                    writer.member(relation) { writer in
                        writer.member("dynamic_app_link_components", array: statement.rules) {
                            $1.write(value: "*", to: &$0)
                        }
                    }
                }
            }
        }
        return writer.bytes
    }

    private static func rules(_ space: HostLinks, order: LinkOrder) -> [AssociationRule] {
        var further = space.beginnings.map { AssociationRule(path: "/" + AndroidRules.plain($0) + "*") }
        if !space.beginnings.isEmpty { further.append(AssociationRule(path: "/")) }
        if space.isEverything { further.append(AssociationRule(path: "/*")) }
        var rules = reserved(besides: space)
        for order in order.fragments {
            var slashes = (order.first + order.rest).flatMap(AndroidRules.slashRules)
            if (order.first + order.rest + order.excluded).contains(where: { !$0.path.segments.isEmpty }) {
                slashes.append(AssociationRule(path: "//*", fragment: "?*"))
            }
            rules += AssociationRule.all(
                order,
                slashes: slashes,
                excluding: AndroidRules.exclusions,
                opening: AndroidRules.rules
            )
        }
        if space.routesFragments { rules += AndroidRules.foreignFragments }
        var slashes = (order.paths.first + order.paths.rest).flatMap(AndroidRules.slashRules)
        if order.paths.opens || !further.isEmpty { slashes.append(AssociationRule(path: "//*")) }
        rules += AssociationRule.all(
            order.paths,
            slashes: slashes,
            further: further,
            excluding: AndroidRules.exclusions,
            opening: AndroidRules.rules
        )
        if space.hasRoot {
            // The path of a bare host is empty, which only `*` matches. The rule before it excludes everything else.
            rules += [AssociationRule(path: "/*", isExcluded: true), AssociationRule(path: "*")]
        }
        // An empty list would leave the decision to the manifest.
        return rules.isEmpty ? [AssociationRule(path: "*", isExcluded: true)] : rules
    }

    /// Returns the rules that exclude the server's own paths from the app, if another rule could match them.
    private static func reserved(besides space: HostLinks) -> [AssociationRule] {
        let isOpen = space.shapes.contains { shape in
            guard shape.opens == .app else { return false }
            return shape.path.segments.first.map { $0.words == nil } ?? (shape.fragment != nil || shape.path.continues)
        }
        return ReservedPath.segments.flatMap { segment -> [AssociationRule] in
            let isTaken =
                isOpen || space.isEverything
                || space.shapes.contains {
                    $0.path.segments.first?.words?.contains { $0.bytewise == segment.bytewise } == true
                }
                || space.beginnings.contains { segment.utf8.starts(with: $0.utf8) }
            guard isTaken else { return [] }
            let text = "/" + AndroidRules.plain(segment)
            return [text, text + "/*"].map { AssociationRule(path: $0, isExcluded: true) }
        }
    }
}
