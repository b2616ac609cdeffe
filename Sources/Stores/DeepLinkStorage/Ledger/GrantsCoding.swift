package import DeepLinkCore

/// The text of a user's grants in a database column.
///
/// Words are separated by single spaces and ordered by the bytes of the names. A word is a name, then `@` with the
/// effective time, then `+` with the end if the user holds the grant, or `+` alone for a grant without an end. A word
/// without a name is the effective time of all grants. Times are in milliseconds since 1970. A leading `!` marks a user
/// to whom no level was written. Without any of these the column is NULL, as for most users.
package enum GrantsCoding {
    /// The contents of a column.
    package struct Contents: Sendable {
        /// Whether a level was written to the user, according to the column.
        fileprivate var hasLevel = true

        /// The grants that the user holds.
        package fileprivate(set) var held: [GrantAssignment] = []

        /// The effective times of the grants.
        ///
        /// This column does not have the effective time of the level.
        fileprivate var timestamps = AccessTimestamps()

        /// Returns the access of a user, given the level of the neighboring columns.
        ///
        /// A level other than the lowest was written, manually or by an earlier version, whatever this column says.
        package func access(_ level: LevelAssignment) -> UserAccess {
            UserAccess(level: hasLevel || level != .unwritten ? level : nil, sorted: held)
        }

        /// Returns the effective times of a user's access, given the effective time of the level.
        package func timestamps(level: Timestamp?) -> AccessTimestamps {
            var timestamps = timestamps
            timestamps.level = level
            return timestamps
        }
    }

    /// The maximum number of bytes to read: more than ``UserRecord/maximumGrantCount`` grants take.
    package static let maximumByteCount = 32_768

    /// Returns the text of a state, or `nil` for NULL.
    package static func text(of access: UserAccess, _ timestamps: AccessTimestamps) -> String? {
        guard access.level == nil || !access.grants.isEmpty || timestamps.grants != nil || !timestamps.each.isEmpty
        else {
            return nil
        }
        var words = access.level == nil ? ["!"] : []
        if let all = timestamps.grants { words.append("@\(all.millisecondsSinceEpoch)") }
        let names = Set(access.grants.map(\.name) + timestamps.each.keys)
        for name in names.sorted(by: { $0.text.bytewise < $1.text.bytewise }) {
            let effectiveTime = timestamps.each[name].map { "@\($0.millisecondsSinceEpoch)" } ?? ""
            words.append(name.text + effectiveTime + (access.grants.first { $0.name == name }.map(end(of:)) ?? ""))
        }
        return words.joined(separator: " ")
    }

    /// Returns the text of the grants in a history row, without effective times, or `nil` for NULL.
    package static func text(of grants: [GrantAssignment]) -> String? {
        grants.isEmpty ? nil : grants.map { $0.name.text + end(of: $0) }.joined(separator: " ")
    }

    /// Returns the text of grant names without times, for a service token, or `nil` for NULL.
    package static func text(of names: [GrantName]) -> String? {
        names.isEmpty ? nil : names.map(\.text).joined(separator: " ")
    }

    /// Parses grant names without times, or returns `nil` for a text that `text(of:)` doesn't write.
    package static func names(_ text: String?) -> [GrantName]? {
        guard let text else { return [] }
        let names = text.utf8.split(separator: space, omittingEmptySubsequences: false)
            .map { GrantName(String(Substring($0))) }
        return names.contains(nil) ? nil : names.compactMap(\.self)
    }

    /// Parses a column, or returns `nil` for a text that ``text(of:_:)`` doesn't write.
    package static func contents(_ text: String?) -> Contents? {
        var contents = Contents()
        guard let text else { return contents }
        guard text.utf8.count <= maximumByteCount else { return nil }
        var last: GrantName?
        for (place, word) in text.utf8.split(separator: space, omittingEmptySubsequences: false).enumerated() {
            if place == 0, word.elementsEqual([exclamationMark]) {
                contents.hasLevel = false
            } else if !read(Substring(word), after: &last, into: &contents) {
                return nil
            }
        }
        return contents
    }

    private static let (space, exclamationMark) = (UInt8(ascii: " "), UInt8(ascii: "!"))

    private static func end(of grant: GrantAssignment) -> String {
        "+" + (grant.validUntil.map { String($0.millisecondsSinceEpoch) } ?? "")
    }

    /// Parses a word.
    ///
    /// - Returns: Whether the word is valid and follows the last name.
    private static func read(_ word: Substring, after last: inout GrantName?, into contents: inout Contents) -> Bool {
        let parts = word.utf8.split(separator: UInt8(ascii: "+"), maxSplits: 1, omittingEmptySubsequences: false)
        let names = parts[0].split(separator: UInt8(ascii: "@"), maxSplits: 1, omittingEmptySubsequences: false)
        var effectiveTime: Timestamp?
        if names.count > 1 {
            guard let number = DecimalText.parseInt(names[1]) else { return false }
            effectiveTime = Timestamp(millisecondsSinceEpoch: Int64(number))
        }
        guard !names[0].isEmpty else {
            guard let effectiveTime, parts.count == 1, last == nil, contents.timestamps.grants == nil else {
                return false
            }
            contents.timestamps.grants = effectiveTime
            return true
        }
        guard let name = GrantName(String(Substring(names[0]))), effectiveTime != nil || parts.count > 1,
            last.map({ $0.text.bytewise < name.text.bytewise }) ?? true
        else { return false }
        last = name
        if let effectiveTime { contents.timestamps.set(effectiveTime, of: name) }
        guard parts.count > 1 else { return true }
        var end: Timestamp?
        if !parts[1].isEmpty {
            guard let number = DecimalText.parseInt(parts[1]) else { return false }
            end = Timestamp(millisecondsSinceEpoch: Int64(number))
        }
        contents.held.append(GrantAssignment(name, validUntil: end))
        return true
    }
}
