import DeepLinkCore

/// The candidates that the engine tried, with a caret under the position in the link at which one failed.
struct ExplanationText {
    private let link: DeepLink
    private let steps: [ExplanationStep]

    init(_ link: DeepLink, steps: [ExplanationStep]) {
        self.link = link
        self.steps = steps
    }

    /// The steps in order, a line each, and two more for each that failed at a position in the link.
    var lines: [String] {
        var table = TextTable()
        for step in steps {
            table.append([
                step.outcome.rawValue, step.route ?? "", step.pattern.map { $0.isEmpty ? "" : "/" + $0 } ?? "",
                step.reason,
            ])
        }
        return zip(table.lines, steps)
            .flatMap { line, step in
                guard step.outcome == .rejected, let offset = step.offset else { return [line] }
                return [line, "    " + link.text, "    " + caret(at: offset)]
            }
    }

    /// Marks a byte, and underlines the rest of the segment or value that begins there.
    private func caret(at offset: Int) -> String {
        let place = min(offset, link.bytes.count)
        let rest = link.bytes[place...].prefix { !"/?#&".utf8.contains($0) }
        let column = String(decoding: link.bytes[..<place], as: UTF8.self).count
        let width = String(decoding: rest, as: UTF8.self).count
        return String(repeating: " ", count: column) + "^" + String(repeating: "~", count: max(0, width - 1))
    }
}
