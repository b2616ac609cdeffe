import WaymarkTestSupport

/// Random edits of a catalog's text, of the kinds that people make.
enum TableEdit {
    /// Edits a text once; `nil` if there is no such place.
    static func apply(to text: String, _ random: inout SeededGenerator) -> String? {
        switch Int.random(in: 0..<14, using: &random) {
        case 0, 1, 2: dropItem(of: "aliases: [", in: text, &random)
        case 3: dropItem(of: "values: [", in: text, &random)
        case 4: dropItem(of: "hosts: [", in: text, &random)
        case 5: dropItem(of: "opens: {", in: text, &random)
        case 6: dropItem(of: "parameters: {", in: text, &random)
        case 7: renamePathParameter(in: text, &random)
        case 8: replace(["required: true"], by: ["required: false"], in: text, &random)
        case 9: dropDefault(in: text, &random)
        case 10:
            replace(
                [": int", ": string", "type: int", "type: string"],
                by: [": string", ": int", "type: string", "type: int"],
                in: text,
                &random
            )
        case 11:
            replace(
                ["path: ", "pathPrefix: ", "query: ", "from: "],
                by: ["path: x", "pathPrefix: x", "query: x", "from: x"],
                in: text,
                &random
            )
        case 12:
            replace(
                ["authority: segment", "authorizationLevel: signedInUser", "signed: true", "fragment: path"],
                by: ["authority: ignore", "authorizationLevel: none", "signed: false", "authority: hosts"],
                in: text,
                &random
            )
        default: dropLine(of: text, &random)
        }
    }

    private static func place(of mark: String, in text: String, _ random: inout SeededGenerator) -> Range<String.Index>?
    {
        text.ranges(of: mark).randomElement(using: &random)
    }

    /// Takes one item off a list or a mapping in braces.
    private static func dropItem(of mark: String, in text: String, _ random: inout SeededGenerator) -> String? {
        guard let place = place(of: mark, in: text, &random) else { return nil }
        var items: [Range<String.Index>] = []
        var (depth, start) = (0, place.upperBound)
        var index = start
        while index < text.endIndex {
            let character = text[index]
            if character == "\n" { return nil }
            if "[{(".contains(character) { depth += 1 }
            let isEnd = depth == 0 && "]}".contains(character)
            if isEnd || depth == 0 && character == "," {
                items.append(start..<index)
                start = text.index(after: index)
            }
            if isEnd { break }
            if "]})".contains(character) { depth -= 1 }
            index = text.index(after: index)
        }
        guard let gone = items.indices.randomElement(using: &random), index < text.endIndex else { return nil }
        let kept = items.indices.filter { $0 != gone }.map { String(text[items[$0]]) }
        return text[..<place.upperBound] + kept.joined(separator: ",") + text[index...]
    }

    /// Calls the parameter of a path by another name in its line.
    private static func renamePathParameter(in text: String, _ random: inout SeededGenerator) -> String? {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let places = lines.indices.filter { lines[$0].contains("{") && lines[$0].contains("path") }
        guard let place = places.randomElement(using: &random) else { return nil }
        let names = lines[place].matches(of: #/\{([a-zA-Z]+)[?*]?\}/#).map { String($0.1) }
        guard let name = names.randomElement(using: &random) else { return nil }
        lines[place] = lines[place].replacing("{\(name)", with: "{\(name)X").replacing(" \(name):", with: " \(name)X:")
        return lines.joined(separator: "\n")
    }

    private static func dropDefault(in text: String, _ random: inout SeededGenerator) -> String? {
        text.ranges(of: #/, default: [a-zA-Z0-9]+/#).randomElement(using: &random)
            .map { String(text[..<$0.lowerBound] + text[$0.upperBound...]) }
    }

    private static func replace(
        _ marks: [String],
        by others: [String],
        in text: String,
        _ random: inout SeededGenerator
    ) -> String? {
        let number = Int.random(in: marks.indices, using: &random)
        return place(of: marks[number], in: text, &random)
            .map { text[..<$0.lowerBound] + others[number] + text[$0.upperBound...] }
    }

    private static func dropLine(of text: String, _ random: inout SeededGenerator) -> String? {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard lines.count > 3 else { return nil }
        lines.remove(at: Int.random(in: 1..<lines.count, using: &random))
        return lines.joined(separator: "\n")
    }
}
