import DeepLinkCore
import DeepLinkFormats

/// The routes and the origins of React Navigation's `linking` object, as JSON.
///
/// A screen's path continues that of the navigator around it, unless it is `exact`. The path `*` makes no route
/// (reactnavigation.org/docs/configuring-links).
struct LinkingObject {
    /// The largest number of screens.
    static let maximumScreenCount = 10_000

    /// The navigators and screens, parents first.
    private(set) var routes: [DeclaredRoute] = []

    /// The origins of the prefixes.
    private(set) var origins: [DraftOrigin] = []

    /// The decisions that are left to a person, and the screens without a route.
    private(set) var questions: [String] = []
    private(set) var leftOut: [String] = []

    private var names = DraftNames()
    private var paths: [ByteText: String] = [:]

    /// Reads the object, or its member `config`.
    ///
    /// - Throws: ``ImportError`` if it has no screens.
    init(_ json: JSONValue) throws(ImportError) {
        guard case .object(let object) = json else { throw ImportError("The linking object is \(json.typeInWords).") }
        if case .array(let prefixes)? = object["prefixes"] {
            for case .string(let prefix) in prefixes { add(prefix: prefix) }
        }
        let config = if case .object(let config)? = object["config"] { config } else { object }
        guard case .object(let screens)? = config["screens"] else {
            throw ImportError(
                "The linking object has no `config.screens`. Write it as JSON: `JSON.stringify(linking)`."
            )
        }
        routes.append(
            DeclaredRoute(
                name: names.unique(["root"]),
                segments: [],
                parent: nil,
                presentation: "root",
                isInitial: true
            )
        )
        routes[0].comment = "around all screens"
        try add(screens, initial: Self.text(config["initialRouteName"]), parent: 0, outer: 0)
        guard routes.count > 1 else { throw ImportError("The linking object has no screen with a path.") }
        origins = DraftOrigin.joined(origins)
    }

    private static func text(_ value: JSONValue?) -> String? {
        if case .string(let text)? = value { text } else { nil }
    }

    // MARK: Prefixes

    private mutating func add(prefix: String) {
        let bytes = prefix.utf8
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else {
            return leftOut.append("prefix \(prefix): it has no scheme")
        }
        let scheme = ScreenWords.lowercased(String(Substring(bytes[..<colon]))).string
        let rest = bytes[colon...].drop { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "/") }
        let parts = rest.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
        let host = parts.first.map { ScreenWords.lowercased($0).string }
        guard scheme.utf8.first.map(ASCII.isLetter) == true else {
            return leftOut.append("prefix \(prefix): it has no scheme")
        }
        let isWeb = scheme.bytewise == "https" || scheme.bytewise == "http"
        guard isWeb else {
            // `myapp://user/1` has its first segment where a host would be, unless the prefix goes on.
            origins.append(
                DraftOrigin(
                    schemes: [scheme],
                    hosts: host.map { [$0] } ?? [],
                    authority: host == nil ? .segment : .hosts
                )
            )
            return
        }
        guard let host, !host.utf8.contains(UInt8(ascii: "*")) else {
            return leftOut.append("prefix \(prefix): name its hosts in `origins`")
        }
        origins.append(DraftOrigin(schemes: [scheme], hosts: [host], pathPrefix: Array(parts.dropFirst())))
    }

    // MARK: Screens

    /// Adds the screens of a navigator.
    ///
    /// - Parameters:
    ///   - screens: The screens of a navigator.
    ///   - initial: The name of the screen that it shows first.
    ///   - parent: The position of the navigator's route.
    ///   - outer: The position of the nearest route around it that takes no segment.
    /// - Throws: ``ImportError`` if there are too many screens.
    private mutating func add(_ screens: JSONObject, initial: String?, parent: Int, outer: Int) throws(ImportError) {
        for (name, value) in screens {
            guard routes.count <= Self.maximumScreenCount else {
                throw ImportError("The linking object has more than \(Self.maximumScreenCount) screens.")
            }
            let isFirst = initial?.bytewise == name
            switch value {
            case .string(let path):
                _ = add(
                    name.string,
                    path: path,
                    isExact: false,
                    aliases: [],
                    isFirst: isFirst,
                    parent: parent,
                    outer: outer
                )
            case .object(let screen):
                var isExact = false
                if case .bool(true)? = screen["exact"] { isExact = true }
                let path = Self.text(screen["path"])
                let aliases: [JSONValue] = if case .array(let list)? = screen["alias"] { list } else { [] }
                if screen["parse"] != nil {
                    questions.append("\(name): its `parse` is code, and says the types of its parameters.")
                }
                let place = add(
                    name.string,
                    path: path,
                    isExact: isExact,
                    aliases: aliases,
                    isFirst: isFirst,
                    parent: parent,
                    outer: outer
                )
                guard let place, case .object(let inner)? = screen["screens"] else { continue }
                let isContainer = routes[place].segments.isEmpty
                try add(
                    inner,
                    initial: Self.text(screen["initialRouteName"]),
                    parent: place,
                    outer: isContainer ? place : outer
                )
            default: leftOut.append("\(name): it is \(value.typeInWords)")
            }
        }
    }

    private mutating func add(
        _ name: String,
        path: String?,
        isExact: Bool,
        aliases: [JSONValue],
        isFirst: Bool,
        parent: Int,
        outer: Int
    ) -> Int? {
        guard let segments = segments(of: path ?? "", screen: name) else { return nil }
        // A path of its own does not continue that of the navigator.
        let parent = isExact ? outer : parent
        let hasParameter = segments.contains { $0.parameterName != nil }
        if isFirst, hasParameter {
            questions.append("\(name) is shown first, but needs a value: no link shows it by default.")
        }
        let full = (fullPath(of: parent) + segments).map { $0.parameterName == nil ? $0.text : "{}" }
            .joined(separator: "/")
        let other = path == nil ? nil : paths[full.bytewise]
        if path != nil, other == nil { paths[full.bytewise] = name }
        if let other { questions.append("\(name) has the path of \(other): links open the latter.") }
        let first = fullPath(of: parent).first ?? segments.first
        let isReserved = first.map { $0.parameterName == nil && ReservedPath.contains($0.text) } ?? false
        if isReserved { questions.append("\(name): the server keeps its path for itself, so no link opens it.") }
        let word = DraftNames.camelCase([name])
        routes.append(
            DeclaredRoute(
                name: names.unique([word.isEmpty ? "screen" : word]),
                segments: segments,
                parent: parent,
                presentation: "push",
                isInitial: isFirst && !hasParameter && parent != outer || isFirst && !hasParameter && !isExact,
                isLinkable: other == nil && !isReserved,
                aliases: otherPaths(aliases, screen: name),
                comment: path.map { "\(name): `\($0)`" } ?? "\(name), without a path",
                edgeComment: isExact ? "a guess: its path is exact, so it stands beside its navigator" : "a guess"
            )
        )
        return routes.count - 1
    }

    private func fullPath(of place: Int) -> [DeclaredRoute.Segment] {
        var path: [DeclaredRoute.Segment] = []
        var next: Int? = place
        while let place = next {
            path = routes[place].segments + path
            next = routes[place].parent
        }
        return path
    }

    private mutating func otherPaths(_ aliases: [JSONValue], screen: String) -> [[DeclaredRoute.Segment]] {
        var paths: [[DeclaredRoute.Segment]] = []
        for alias in aliases {
            let text =
                switch alias {
                case .string(let text): text
                case .object(let object): Self.text(object["path"]) ?? ""
                default: ""
                }
            if let path = segments(of: text, screen: screen), !path.isEmpty { paths.append(path) }
        }
        return paths
    }

    /// Returns the segments of a path such as `user/:id/:section?`, or `nil` if it makes no route.
    private mutating func segments(of path: String, screen: String) -> [DeclaredRoute.Segment]? {
        var segments: [DeclaredRoute.Segment] = []
        for part in path.utf8.split(separator: UInt8(ascii: "/")) {
            let text = String(Substring(part))
            guard text.bytewise != "*" else { return nil }
            guard part.first == UInt8(ascii: ":") else {
                guard let pattern = try? PathPattern(text), case .literal? = pattern.segments.first,
                    pattern.segments.count == 1
                else {
                    leftOut.append("\(screen): no path of a catalog can have `\(text)`")
                    return nil
                }
                segments.append(.literal(text))
                continue
            }
            // A regular expression may follow, and a question mark: `:id([0-9]+)?`.
            let isOptional = part.last == UInt8(ascii: "?")
            let name = part.dropFirst().prefix { $0 != UInt8(ascii: "(") && $0 != UInt8(ascii: "?") }
            guard let identifier = Identifier(String(Substring(name))) else {
                leftOut.append("\(screen): no parameter can be called `\(text)`")
                return nil
            }
            if part.contains(UInt8(ascii: "(")) {
                questions.append("\(screen): `\(text)` has an expression, which is left out.")
            }
            segments.append(isOptional ? .optional(identifier.text) : .parameter(identifier.text))
        }
        return segments
    }
}
