/// The origin of a value that a destination inherits from one below it: a parameter of a route.
///
/// ```yaml
/// comments: { parameters: { postID: { inherit: post.id } } }
/// ```
///
/// The nearest destination of that route counts. The value is in plans, but not in links and queries.
package struct Inheritance: Hashable, Sendable {
    /// The name of the route below.
    package let route: String

    /// The name of the route's parameter.
    package let parameter: String

    /// Creates an origin from its parts.
    package init(route: String, parameter: String) {
        self.route = route
        self.parameter = parameter
    }

    /// Parses the name of a route and, after a dot, of its parameter.
    ///
    /// Names may contain dots. Until the names of the routes are known, the first dot counts.
    ///
    /// - Returns: `nil` if one of the names is missing.
    package init?(_ text: String) {
        guard let dot = text.utf8.firstIndex(of: ASCII.dot), dot != text.startIndex,
            text.index(after: dot) != text.endIndex
        else { return nil }
        self.init(route: String(text[..<dot]), parameter: String(text[text.index(after: dot)...]))
    }

    /// The text in the notation of catalogs.
    package var text: String { "\(route).\(parameter)" }

    /// All readings of the text, the shortest route first.
    var readings: [Inheritance] {
        let text = text
        return text.utf8.indices.filter { text.utf8[$0] == ASCII.dot }
            .compactMap { dot in
                let (route, parameter) = (text[..<dot], text[text.index(after: dot)...])
                guard !route.isEmpty, !parameter.isEmpty else { return nil }
                return Inheritance(route: String(route), parameter: String(parameter))
            }
    }

    /// Compares the bytes.
    package static func == (left: Inheritance, right: Inheritance) -> Bool {
        left.route.bytewise == right.route.bytewise && left.parameter.bytewise == right.parameter.bytewise
    }

    /// Hashes the bytes.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(route.bytewise)
        hasher.combine(parameter.bytewise)
    }
}
