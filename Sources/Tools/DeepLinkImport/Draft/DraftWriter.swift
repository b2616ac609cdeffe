import DeepLinkCore

/// A draft as YAML, with a comment at each guess.
struct DraftWriter {
    private var lines: [String] = []

    /// Returns the text of a draft.
    static func text(of draft: DraftCatalog, heading: [String]) -> String {
        var writer = DraftWriter()
        writer.lines = heading.map { "# \($0)" }
        writer.write(draft)
        return writer.lines.joined(separator: "\n") + "\n"
    }

    private mutating func add(_ line: String, comment: String? = nil) {
        lines.append(comment.map { "\(line)  # \(Self.comment($0))" } ?? line)
    }

    private mutating func write(_ draft: DraftCatalog) {
        add("version: 1")
        add("origins:")
        if draft.origins.isEmpty { add("  - { scheme: myapp }", comment: "no input names an origin") }
        for origin in draft.origins { add("  - { \(Self.members(of: origin)) }") }
        if let plus = draft.plusIsSpace { add("plusIsSpace: \(plus.value)", comment: plus.comment) }
        if !draft.appleApps.isEmpty {
            add("apps:")
            add("  ios:")
            for app in draft.appleApps { add("    - { appID: \(Self.scalar(app)) }") }
        }
        for package in draft.androidPackages {
            add(
                "# apps.android: [{ package: \(Self.comment(package)), fingerprints: [the SHA-256 of the certificate] }]"
            )
        }
        if !draft.apps.isEmpty { write(draft.apps) }
        write(draft.entry, key: "entry", indent: "")
        add("routes:")
        if draft.routes.isEmpty { add("  {}") }
        for route in draft.routes { write(route) }
    }

    private mutating func write(_ apps: [DraftApp]) {
        add("apps:")
        for app in apps {
            let isEmpty = app.appIDs.isEmpty
            add("  \(Self.scalar(app.name)):\(isEmpty ? " {}" : "")", comment: "named after its identifier")
            if !isEmpty { add("    ios:") }
            for id in app.appIDs { add("      - { appID: \(Self.scalar(id)) }") }
            for package in app.packages {
                add(
                    "    # android: [{ package: \(Self.comment(package)), fingerprints: [the SHA-256 of the certificate] }]"
                )
            }
        }
    }

    private static func members(of origin: DraftOrigin) -> String {
        let schemes = origin.schemes.map(scalar)
        var members = [schemes.count == 1 ? "scheme: \(schemes[0])" : "scheme: [\(schemes.joined(separator: ", "))]"]
        if !origin.hosts.isEmpty { members.append("hosts: [\(origin.hosts.map(scalar).joined(separator: ", "))]") }
        if origin.authority != .hosts { members.append("authority: \(origin.authority.rawValue)") }
        if !origin.pathPrefix.isEmpty {
            members.append("pathPrefix: \(scalar("/" + origin.pathPrefix.joined(separator: "/")))")
        }
        if origin.routesFragment { members.append("fragment: path") }
        return members.joined(separator: ", ")
    }

    private mutating func write(_ route: DraftRoute) {
        let hasPath = route.path.bytewise != route.name.bytewise
        let isEmpty =
            !hasPath && route.aliases.isEmpty && route.parameters.isEmpty && route.opens.isEmpty && route.app == nil
        guard !isEmpty else { return add("  \(Self.scalar(route.name)): {}", comment: route.comment) }
        add("  \(Self.scalar(route.name)):", comment: hasPath ? nil : route.comment)
        if hasPath { add("    path: \(Self.scalar(route.path))", comment: route.comment) }
        if !route.aliases.isEmpty {
            add("    aliases: [\(route.aliases.map(Self.scalar).joined(separator: ", "))]", comment: route.aliasComment)
        }
        if let app = route.app {
            add("    app: \(Self.scalar(app))", comment: "the files of no other app have its links")
        }
        if !route.parameters.isEmpty { add("    parameters:") }
        for parameter in route.parameters {
            add("      \(Self.scalar(parameter.name)): \(Self.value(of: parameter))", comment: parameter.comment)
        }
        if !route.opens.isEmpty { write(route.opens, key: "opens", indent: "    ") }
    }

    private mutating func write(_ edges: [DraftEdge], key: String, indent: String) {
        add("\(indent)\(key):")
        for edge in edges {
            let isPlain = !edge.isInitial && edge.isLinkable
            let members =
                "{ presentation: \(Self.scalar(edge.presentation))" + (edge.isInitial ? ", initial: true" : "")
                + (edge.isLinkable ? "" : ", linkable: false") + " }"
            add(
                "\(indent)  \(Self.scalar(edge.route)): \(isPlain ? Self.scalar(edge.presentation) : members)",
                comment: edge.comment
            )
        }
    }

    private static func value(of parameter: DraftParameter) -> String {
        let isPlain =
            parameter.values.isEmpty && parameter.key == nil && !parameter.isShared && !parameter.ignoresInvalid
        let type = parameter.type.utf8.first == UInt8(ascii: "[") ? "\"\(parameter.type)\"" : parameter.type
        guard !isPlain else { return parameter.type.utf8.first == UInt8(ascii: "[") ? parameter.type : type }
        var members = ["type: \(parameter.type)"]
        if !parameter.values.isEmpty {
            members.append("values: [\(parameter.values.map(scalar).joined(separator: ", "))]")
        }
        if let key = parameter.key { members.append("from: \(scalar(key))") }
        if parameter.isShared { members.append("take: shared") }
        if parameter.ignoresInvalid { members.append("invalid: ignore") }
        return "{ \(members.joined(separator: ", ")) }"
    }

    /// Returns a text for a comment: one line, without control characters, of bounded length.
    private static func comment(_ text: String) -> String {
        let line = text.unicodeScalars.map {
            $0.value < 0x20 || $0.value == 0x7F || (0x80..<0xA0).contains($0.value) ? " " : String($0)
        }
        return String(line.joined().prefix(160))
    }

    /// Returns a text as a YAML scalar, quoted unless it is plain in every place.
    static func scalar(_ text: String) -> String {
        let bytes = text.utf8
        let isPlain =
            bytes.first.map(ASCII.isLetter) == true
            && bytes.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) || "-_./".utf8.contains($0) }
            && !["true", "false", "null", "yes", "no", "on", "off", "y", "n", "nan", "inf"]
                .contains(
                    ScreenWords.lowercased(text).string
                )
        guard !isPlain else { return text }
        var writer = JSONWriter()
        writer.string(text)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
