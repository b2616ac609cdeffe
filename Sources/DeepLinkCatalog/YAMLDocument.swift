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
    private static let firstMask: UInt32 = 0xE000

    private let log: IssueLog
    private var duplicates: [(name: String, mark: Mark)] = []
    private var nodeCount = 0

    private init(log: IssueLog) {
        self.log = log
    }

    /// Reads a text with one document; `nil` where it is no YAML, which the log then says.
    static func compose(_ text: String, reportingTo log: IssueLog) -> Node? {
        var document = YAMLDocument(log: log)
        guard let root = document.composeMaskingDuplicates(text) else { return nil }
        return document.check(root, depth: 0) ? root : nil
    }

    /// Tells whether a key was masked, or is otherwise reported already.
    static func isReported(_ key: String) -> Bool {
        guard key != "<<", let first = key.unicodeScalars.first?.value else { return true }
        return first >= firstMask && first < firstMask + UInt32(maximumDuplicateCount)
    }

    private mutating func composeMaskingDuplicates(_ text: String) -> Node? {
        var text = text
        while true {
            do {
                if let root = try Parser(yaml: text, encoding: .utf8).singleRoot() { return root }
                log.report(.invalidYAML, at: nil, "The file is empty.", hint: "Begin with `version: 1`.")
                return nil
            } catch YamlError.duplicatedKeysInMapping(let names, let context) {
                guard let name = names.first, duplicates.count < Self.maximumDuplicateCount,
                    let masked = mask(text, at: context.mark)
                else {
                    log.report(.duplicateKey, at: context.mark, "A key is given twice.", hint: "Remove one of the two.")
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

    private func mask(_ text: String, at mark: Mark) -> String? {
        guard let replacement = Unicode.Scalar(Self.firstMask + UInt32(duplicates.count)) else { return nil }
        var scalars = Array(text.unicodeScalars)
        var line = 1
        var index = 0
        while index < scalars.count, line < mark.line {
            if scalars[index] == "\n" { line += 1 }
            index += 1
        }
        index += mark.column - 1
        if index < scalars.count, scalars[index] == "\"" || scalars[index] == "'" { index += 1 }
        guard index < scalars.count else { return nil }
        scalars[index] = replacement
        var masked = String.UnicodeScalarView()
        masked.append(contentsOf: scalars)
        return String(masked)
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
        guard let first = text.unicodeScalars.first?.value, first >= Self.firstMask,
            Int(first - Self.firstMask) < duplicates.count
        else { return }
        let duplicate = duplicates[Int(first - Self.firstMask)]
        let other = mapping.first { $0.key.scalar?.string == duplicate.name }?.key
        log.report(
            .duplicateKey,
            at: other?.mark ?? key.mark,
            "The key `\(duplicate.name)` is given again; the first stands in line \(duplicate.mark.line).",
            hint: "Remove or rename one of the two."
        )
    }
}
