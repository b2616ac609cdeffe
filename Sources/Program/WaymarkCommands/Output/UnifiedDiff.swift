/// The difference between two texts in the unified format (POSIX diff -u).
struct UnifiedDiff {
    /// The number of lines shown around a change.
    private static let context = 3

    /// The maximum number of lines that are compared, without the common beginning and end.
    ///
    /// Beyond it, all are shown as replaced.
    private static let maximumLineCount = 4_000

    /// One line of both texts, or of one.
    private enum Line {
        case same(Substring)
        case removed(Substring)
        case added(Substring)

        var text: String {
            switch self {
            case .same(let line): " \(line)\n"
            case .removed(let line): "-\(line)\n"
            case .added(let line): "+\(line)\n"
            }
        }

        var isChange: Bool { if case .same = self { false } else { true } }

        var isOld: Bool { if case .added = self { false } else { true } }

        var isNew: Bool { if case .removed = self { false } else { true } }
    }

    private let name: String
    private let isNew: Bool
    private let lines: [Line]

    /// Compares two texts, of which the old one is `nil` for a new file.
    init(from old: String?, to new: String, name: String) {
        self.name = name
        isNew = old == nil
        let old = Self.lines(old ?? "")
        let new = Self.lines(new)
        let start = zip(old, new).prefix { Self.areSame($0, $1) }.count
        let end = zip(old[start...].reversed(), new[start...].reversed()).prefix { Self.areSame($0, $1) }.count
        let oldMiddle = old[start..<(old.count - end)]
        let newMiddle = new[start..<(new.count - end)]
        lines =
            old[..<start].map { .same($0) } + Self.compare(oldMiddle, newMiddle)
            + old[(old.count - end)...].map { .same($0) }
    }

    /// Splits a text at its line feeds, which end lines rather than separate them.
    private static func lines(_ text: String) -> [Substring] {
        var lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines.map { Substring($0) }
    }

    private static func areSame(_ one: Substring, _ two: Substring) -> Bool { one.utf8.elementsEqual(two.utf8) }

    private static func compare(_ old: ArraySlice<Substring>, _ new: ArraySlice<Substring>) -> [Line] {
        guard old.count + new.count <= maximumLineCount else {
            return old.map { .removed($0) } + new.map { .added($0) }
        }
        var removals: Set<Int> = []
        var additions: Set<Int> = []
        for change in Array(new).difference(from: Array(old), by: areSame) {
            switch change {
            case .remove(let offset, _, _): removals.insert(offset)
            case .insert(let offset, _, _): additions.insert(offset)
            }
        }
        var lines: [Line] = []
        var (oldIndex, newIndex) = (0, 0)
        while oldIndex < old.count || newIndex < new.count {
            if removals.contains(oldIndex) {
                lines.append(.removed(old[old.startIndex + oldIndex]))
                oldIndex += 1
            } else if additions.contains(newIndex) {
                lines.append(.added(new[new.startIndex + newIndex]))
                newIndex += 1
            } else {
                lines.append(.same(old[old.startIndex + oldIndex]))
                oldIndex += 1
                newIndex += 1
            }
        }
        return lines
    }

    /// The difference, with the lines around each change.
    var text: String {
        var text = "--- \(isNew ? "/dev/null" : name)\n+++ \(name)\n"
        var (oldLine, newLine) = (1, 1)
        var index = 0
        for hunk in hunks {
            for line in lines[index..<hunk.lowerBound] {
                oldLine += line.isOld ? 1 : 0
                newLine += line.isNew ? 1 : 0
            }
            let (oldCount, newCount) = (lines[hunk].count(where: \.isOld), lines[hunk].count(where: \.isNew))
            // For an empty range, the line before it counts.
            let starts = (oldCount == 0 ? oldLine - 1 : oldLine, newCount == 0 ? newLine - 1 : newLine)
            text += "@@ -\(starts.0),\(oldCount) +\(starts.1),\(newCount) @@\n"
            for line in lines[hunk] { text += line.text }
            oldLine += oldCount
            newLine += newCount
            index = hunk.upperBound
        }
        return text
    }

    /// The ranges of lines to be shown.
    private var hunks: [Range<Int>] {
        var hunks: [Range<Int>] = []
        for index in lines.indices where lines[index].isChange {
            let range = max(0, index - Self.context)..<min(lines.count, index + Self.context + 1)
            if let last = hunks.last, last.upperBound >= range.lowerBound {
                hunks[hunks.count - 1] = last.lowerBound..<range.upperBound
            } else {
                hunks.append(range)
            }
        }
        return hunks
    }
}
