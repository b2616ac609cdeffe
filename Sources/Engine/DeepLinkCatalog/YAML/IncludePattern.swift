import DeepLinkCore

/// A pattern of `include`: the names of files, relative to the catalog's folder.
///
/// `*` stands for any characters of one name, `?` for one character. Neither stands for a dot at the beginning of a
/// name, as in the POSIX shell (2.14.3).
package struct IncludePattern: Equatable, Sendable {
    /// The maximum number of patterns.
    private static let maximumCount = 1_000

    /// The maximum length of a pattern, which bounds the work for the paths of its parts.
    private static let maximumByteCount = 1_024

    private static let star: Unicode.Scalar = "*"
    private static let questionMark: Unicode.Scalar = "?"

    /// The parts between slashes.
    let parts: [String]

    /// The location of the pattern.
    let location: SourceLocation

    /// Creates the pattern of a text without parts that lead out of the folder.
    private init(_ text: Located<String>, parts: [String]) {
        self.parts = parts
        location = text.location
    }

    /// The pattern as text.
    var text: String { parts.joined(separator: "/") }

    /// Returns whether two patterns name the same files.
    package static func == (left: IncludePattern, right: IncludePattern) -> Bool {
        left.parts.map { $0.bytewise } == right.parts.map { $0.bytewise }
    }

    // MARK: Reading

    /// Reads the list of patterns, reporting and omitting invalid ones.
    static func patterns(_ node: YAMLNode, log: IssueLog) -> [IncludePattern] {
        let hint = "Write a list of names: `include: [teams/*.yaml]`."
        guard let items = log.items(of: node, subject: "`include`", hint: hint) else { return [] }
        guard (1...maximumCount).contains(items.count) else {
            log.report(
                .invalidValue,
                at: node.mark,
                message: items.isEmpty ? "`include` is empty." : "`include` has \(items.count) names.",
                hint: "Write 1 to \(maximumCount) names; leave `include` out for none."
            )
            return []
        }
        return items.compactMap { item in
            log.text(of: item, subject: "An item of `include`", hint: "Write the name of a file, or a pattern.")
                .flatMap { pattern(Located($0, at: log.location(item.mark)), log: log) }
        }
    }

    private static func pattern(_ text: Located<String>, log: IssueLog) -> IncludePattern? {
        guard text.value.utf8.count <= maximumByteCount else {
            log.report(
                .invalidValue,
                at: text.location,
                message: "A name in `include` has \(text.value.utf8.count) bytes.",
                hint: "Write at most \(maximumByteCount) bytes."
            )
            return nil
        }
        let parts = text.value.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
            .filter { $0.bytewise != "." }
        guard text.value.utf8.first != UInt8(ascii: "/"), !parts.contains(where: { $0.bytewise == ".." }) else {
            log.report(
                .includeOutside,
                at: text.location,
                message: "`\(text.value)` leads out of the catalog's folder.",
                hint: "Name files in the folder of the catalog, relative to it: `teams/*.yaml`."
            )
            return nil
        }
        let isName = !parts.isEmpty && !parts.contains { $0.isEmpty || $0.utf8.contains(0) }
        guard isName, !parts.contains(where: Self.hasDoubleStar) else {
            log.report(
                .invalidValue,
                at: text.location,
                message: "`\(text.value)` isn't the name of a file.",
                hint: isName
                    ? "`*` stands for a part of one name. Write a pattern for each depth: `*.yaml`, `*/*.yaml`."
                    : "Write a name or a pattern, such as `teams/*.yaml`."
            )
            return nil
        }
        return IncludePattern(text, parts: parts)
    }

    private static func hasDoubleStar(_ part: String) -> Bool {
        zip(part.utf8, part.utf8.dropFirst()).contains { $0 == UInt8(ascii: "*") && $1 == UInt8(ascii: "*") }
    }

    // MARK: Matching

    /// Returns whether a part of a pattern has characters that stand for others.
    static func isWild(_ part: String) -> Bool {
        part.unicodeScalars.contains { $0 == star || $0 == questionMark }
    }

    /// Returns whether a part of a pattern matches a name.
    ///
    /// - Complexity: the length of the part times the length of the name.
    static func part(_ part: String, matches name: String) -> Bool {
        let dot: Unicode.Scalar = "."
        let (pattern, text) = (Array(part.unicodeScalars), Array(name.unicodeScalars))
        guard text.first != dot || pattern.first == dot else { return false }
        var (place, position) = (0, 0)
        // The place after the last star, and the first position that it doesn't stand for yet.
        var retry: (place: Int, position: Int)?
        while position < text.count {
            if place < pattern.count, pattern[place] == star {
                place += 1
                retry = (place, position)
            } else if place < pattern.count, pattern[place] == questionMark || pattern[place] == text[position] {
                (place, position) = (place + 1, position + 1)
            } else if let last = retry {
                (place, position) = (last.place, last.position + 1)
                retry = (last.place, last.position + 1)
            } else {
                return false
            }
        }
        return pattern[place...].allSatisfy { $0 == star }
    }
}
