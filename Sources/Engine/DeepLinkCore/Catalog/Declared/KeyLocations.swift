/// A key of a declaration, at which a report can show a change of its value.
package enum DeclaredKey: String, CaseIterable, Sendable {
    // Of routes and edges.
    case path, paths, query, aliases, parameters, authorizationLevel, requires, since, app, opens, groups
    case description, signed, shortLink, presentation, initial, linkable

    // Of the catalog.
    case origins, plusIsSpace, levels, grants, gates, apps, entry, routes
}

/// The locations of the keys of one declaration.
package struct KeyLocations: Sendable {
    /// A key, or the name of a declaration below it, with its location.
    private struct Entry {
        let key: DeclaredKey
        let name: ByteText?
        let line: Int32
        let column: Int32
    }

    private let file: String
    private var entries: [Entry] = []

    /// The locations in the files that a catalog includes, in their order.
    private var included: [KeyLocations] = []

    /// An empty set of locations.
    package static let none = KeyLocations(file: "")

    /// Creates an empty set of locations in a file.
    package init(file: String) {
        self.file = file
    }

    /// Adds the location of a key, or of a name below it.
    package mutating func add(_ key: DeclaredKey, named name: ByteText? = nil, line: Int, column: Int) {
        guard let line = Int32(exactly: line), let column = Int32(exactly: column) else { return }
        entries.append(Entry(key: key, name: name, line: line, column: column))
    }

    /// Adds the locations of a file that the catalog includes, which count after the own ones.
    package mutating func include(_ locations: KeyLocations) {
        included.append(locations)
    }

    /// The location of a key, or `nil` if the declaration doesn't have it.
    package subscript(key: DeclaredKey) -> SourceLocation? { location(of: nil, below: key) }

    /// Returns the location of a name below a key: a parameter, a gate, or an origin as `scheme:` or `scheme://host`.
    package func location(of name: ByteText?, below key: DeclaredKey) -> SourceLocation? {
        if let entry = entries.first(where: { $0.key == key && $0.name == name }) {
            return SourceLocation(file: file, line: Int(entry.line), column: Int(entry.column))
        }
        return included.lazy.compactMap { $0.location(of: name, below: key) }.first
    }
}
