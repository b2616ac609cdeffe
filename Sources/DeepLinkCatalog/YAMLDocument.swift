import DeepLinkCore
import Yams

/// Turns YAML text into a tree, reporting what YAML allows and catalogs do not.
///
/// Yams stops at the first mapping with a key given twice. So that one load reports everything, the first of the
/// two keys is masked by a private-use character, which moves nothing, and the text is read again.
struct YAMLDocument {
    /// The most nodes, aliases expanded, that a catalog may have; a few lines of nested aliases make billions.
    private static let maximumNodeCount = 2_000_000

    private static let maximumDepth = 64
    private static let maximumDuplicateCount = 100
    private static let maskRanges: [UInt32] = [0xE000, 0xF_0000, 0x10_0000]

    private let log: IssueLog
    private var duplicates: [(name: String, mark: Mark)] = []

    /// The first of the private-use characters that mask keys; none of them stands in the text.
    private let firstMask: UInt32?

    private var nodeCount = 0

    private init(_ text: String, log: IssueLog) {
        self.log = log
        let used = Set(text.unicodeScalars.lazy.map(\.value).filter { $0 >= 0xE000 })
        firstMask = Self.maskRanges.first { first in
            (first..<first + UInt32(Self.maximumDuplicateCount)).allSatisfy { !used.contains($0) }
        }
    }

    /// Reads a text with one document; `nil` where it is no YAML, which the log then says.
    static func compose(_ text: String, reportingTo log: IssueLog) -> Node? {
        // A byte order mark says nothing in UTF-8, and would no longer stand first in a masked text.
        let hasMark = text.unicodeScalars.first == "\u{FEFF}"
        let text = hasMark ? String(text.unicodeScalars.dropFirst()) : text
        var document = YAMLDocument(text, log: log)
        guard let root = document.composeMaskingDuplicates(text) else {
            // The tree that would show where the other key stands is not to be had.
            for duplicate in document.duplicates { document.reportDuplicate(duplicate.name, at: duplicate.mark) }
            return nil
        }
        log.maskedKeys = document.maskedKeys
        return document.check(root, depth: 0) ? root : nil
    }

    /// The characters that mask keys, each at the beginning of one.
    private var maskedKeys: Range<UInt32> {
        let first = firstMask ?? 0
        return first..<first + UInt32(duplicates.count)
    }

    private mutating func composeMaskingDuplicates(_ text: String) -> Node? {
        var text = text
        while true {
            do {
                if let root = try Parser(yaml: text, encoding: .utf8).singleRoot() { return root }
                log.report(.invalidYAML, at: nil, "The file is empty.", hint: "Begin with `version: 1`.")
                return nil
            } catch YamlError.duplicatedKeysInMapping(let names, let context) {
                let name = names.first ?? ""
                guard duplicates.count < Self.maximumDuplicateCount, let masked = mask(text, name, at: context.mark)
                else {
                    reportDuplicate(name, at: context.mark)
                    return nil
                }
                duplicates.append((name, context.mark))
                text = masked
            } catch {
                report(error)
                return nil
            }
        }
    }

    private func reportDuplicate(_ name: String, at mark: Mark) {
        let hint = "Remove or rename one of the two."
        log.report(.duplicateKey, at: mark, "The key `\(name)` is given twice; this is the first.", hint: hint)
    }

    /// Replaces the first character of a key; `nil` where the key does not stand at its mark as itself.
    private func mask(_ text: String, _ name: String, at mark: Mark) -> String? {
        guard let firstMask, let replacement = Unicode.Scalar(firstMask + UInt32(duplicates.count)) else { return nil }
        var scalars = Array(text.unicodeScalars)
        guard var index = Self.lineStart(mark.line, in: scalars).map({ $0 + mark.column - 1 }) else { return nil }
        if index < scalars.count, scalars[index] == "\"" || scalars[index] == "'" { index += 1 }
        guard index < scalars.count, scalars[index] == name.unicodeScalars.first else { return nil }
        scalars[index] = replacement
        var masked = String.UnicodeScalarView()
        masked.append(contentsOf: scalars)
        return String(masked)
    }

    /// Finds where a line begins, counting line breaks as YAML 1.1 does (§5.4).
    private static func lineStart(_ line: Int, in scalars: [Unicode.Scalar]) -> Int? {
        var index = 0
        var current = 1
        while current < line, index < scalars.count {
            let isBreak = ["\n", "\r", "\u{85}", "\u{2028}", "\u{2029}"].contains(scalars[index])
            if scalars[index] == "\r", index + 1 < scalars.count, scalars[index + 1] == "\n" { index += 1 }
            if isBreak { current += 1 }
            index += 1
        }
        return current == line ? index : nil
    }

    private func report(_ error: any Error) {
        let hint = "Check the indentation, the colons and the quotes around this place."
        switch error {
        case YamlError.scanner(_, let problem, let mark, _), YamlError.parser(_, let problem, let mark, _),
            YamlError.composer(_, let problem, let mark, _):
            log.report(.invalidYAML, at: mark, "This is not YAML: \(problem).", hint: hint)
        case YamlError.reader(let problem, _, _, _):
            log.report(
                .invalidYAML,
                at: nil,
                "This is not YAML: \(problem).",
                hint: "Save the file as plain UTF-8 text."
            )
        default: log.report(.invalidYAML, at: nil, "This is not YAML: \(error).", hint: hint)
        }
    }

    /// Walks the whole tree once.
    ///
    /// - Returns: whether it is small enough to be read.
    private mutating func check(_ node: Node, depth: Int) -> Bool {
        nodeCount += 1
        guard nodeCount <= Self.maximumNodeCount, depth <= Self.maximumDepth else {
            log.report(
                .tooLarge,
                at: node.mark,
                "The catalog nests deeper than \(Self.maximumDepth) levels or has more than "
                    + "\(Self.maximumNodeCount) values, aliases expanded.",
                hint: "Write the catalog out flat; anchors are for small repeated parts."
            )
            return false
        }
        switch node {
        case .sequence(let sequence): return sequence.allSatisfy { check($0, depth: depth + 1) }
        case .mapping(let mapping):
            for (key, value) in mapping {
                reportKey(key, in: mapping)
                guard check(value, depth: depth + 1) else { return false }
            }
            return true
        default: return true
        }
    }

    private func reportKey(_ key: Node, in mapping: Node.Mapping) {
        guard let text = key.scalar?.string else {
            log.report(.wrongType, at: key.mark, "A key here is a list or a mapping.", hint: "Use a plain word as key.")
            return
        }
        if text == "<<" {
            log.report(
                .mergeKey,
                at: key.mark,
                "The merge key `<<` is not supported.",
                hint: "Write the keys out, or share a whole value by an anchor."
            )
        }
        guard let first = text.unicodeScalars.first?.value else {
            log.report(.invalidValue, at: key.mark, "A key is empty.", hint: "Give it a name, or remove the line.")
            return
        }
        guard maskedKeys.contains(first) else { return }
        let duplicate = duplicates[Int(first - maskedKeys.lowerBound)]
        let other = mapping.first { $0.key.scalar?.string == duplicate.name }?.key
        log.report(
            .duplicateKey,
            at: other?.mark ?? key.mark,
            "The key `\(duplicate.name)` is given again; the first stands in line \(duplicate.mark.line).",
            hint: "Remove or rename one of the two."
        )
    }
}
