/// A sign that a link was not filled in, or that people cannot open it: such a link may resolve, but is wrong.
///
/// A parameter of type `string` accepts `{{first_name}}` as it accepts any other text, so the engine sees no fault.
package struct LinkWarning: Equatable, Sendable {
    /// The kind of a warning.
    package enum Sign: Equatable, Sendable {
        /// A placeholder of a template, percent-encoded or not: `{{name}}`, `${name}`, `{name}`, `[name]`, `*|NAME|*`.
        case placeholder

        /// A whole segment or value that programs write for a missing one: `undefined`, `null`, `NaN`, `None`.
        case missingValue

        /// A space that isn't percent-encoded, where mail and chat programs end a link.
        case rawSpace
    }

    /// The kind of the warning.
    package let sign: Sign

    /// The text at fault, as written.
    package let text: String

    /// The position of the text in the link's UTF-8.
    package let offset: Int

    /// Returns the first sign of a link, or `nil` if there is none.
    ///
    /// - Complexity: linear in the bytes.
    package static func first(in link: String) -> LinkWarning? {
        let scan = TemplateScan(link.utf8)
        return scan.placeholder ?? scan.missingValue ?? scan.rawSpace
    }

    /// The warning in one sentence.
    package var message: String {
        switch sign {
        case .placeholder: "`\(text)` at byte \(offset) is a placeholder that was not filled in."
        case .missingValue: "`\(text)` at byte \(offset) stands where a program had no value."
        case .rawSpace: "Byte \(offset) is a space, at which many programs end a link; write `%20`."
        }
    }
}

/// The bytes of a link, percent-decoded, with their places.
private struct TemplateScan {
    /// The maximum length of a placeholder, in bytes.
    private static let maximumPlaceholderByteCount = 128

    private static let missing: [[UInt8]] = ["undefined", "null", "NaN", "None"].map { Array($0.utf8) }

    private let link: [UInt8]
    private var bytes: [UInt8] = []
    private var offsets: [Int] = []

    /// Whether each byte is in the name of a query pair, like the brackets of `filter[price]=1`.
    private var names: [Bool] = []

    init(_ link: some Sequence<UInt8>) {
        self.link = Array(link)
        var index = 0
        var (isQuery, isName) = (false, false)
        while index < self.link.count {
            offsets.append(index)
            switch self.link[index] {
            case ASCII.question where !isQuery: (isQuery, isName) = (true, true)
            case ASCII.ampersand where isQuery: isName = true
            case ASCII.equals: isName = false
            case ASCII.hash: (isQuery, isName) = (false, false)
            default: break
            }
            names.append(isName)
            if self.link[index] == ASCII.percent, index + 2 < self.link.count,
                let high = ASCII.hexValue(self.link[index + 1]), let low = ASCII.hexValue(self.link[index + 2])
            {
                bytes.append(high << 4 | low)
                index += 3
            } else {
                bytes.append(self.link[index])
                index += 1
            }
        }
        offsets.append(index)
    }

    private func warning(_ sign: LinkWarning.Sign, _ range: Range<Int>) -> LinkWarning {
        let place = offsets[range.lowerBound]..<offsets[range.upperBound]
        return LinkWarning(sign: sign, text: String(decoding: link[place], as: UTF8.self), offset: place.lowerBound)
    }

    var rawSpace: LinkWarning? {
        let first = bytes.indices.first { bytes[$0] == ASCII.space && link[offsets[$0]] == ASCII.space }
        return first.map { warning(.rawSpace, $0..<$0 + 1) }
    }

    var placeholder: LinkWarning? {
        for index in bytes.indices {
            if let end = endOfPlaceholder(at: index) { return warning(.placeholder, index..<end) }
        }
        return nil
    }

    private func endOfPlaceholder(at index: Int) -> Int? {
        switch (bytes[index], index + 1 < bytes.count ? bytes[index + 1] : 0) {
        case (UInt8(ascii: "{"), UInt8(ascii: "{")): end(of: "}}", from: index) ?? index + 2
        case (UInt8(ascii: "$"), UInt8(ascii: "{")): end(of: "}", from: index) ?? index + 2
        case (UInt8(ascii: "*"), UInt8(ascii: "|")): end(of: "|*", from: index)
        case (UInt8(ascii: "{"), _): endOfWord(at: index + 1, before: UInt8(ascii: "}"))
        case (UInt8(ascii: "["), _): names[index] ? nil : endOfWord(at: index + 1, before: UInt8(ascii: "]"))
        default: nil
        }
    }

    /// Returns the place after the next occurrence of a text, within the length of a placeholder.
    private func end(of text: StaticString, from index: Int) -> Int? {
        text.withUTF8Buffer { text in
            let limit = min(bytes.count - text.count, index + Self.maximumPlaceholderByteCount)
            var place = index + 2
            while place <= limit {
                if bytes[place..<place + text.count].elementsEqual(text) { return place + text.count }
                place += 1
            }
            return nil
        }
    }

    /// Returns the place after a word and the bracket that closes it, or `nil` if something else is there.
    private func endOfWord(at start: Int, before closing: UInt8) -> Int? {
        guard start < bytes.count, ASCII.isLetter(bytes[start]) || bytes[start] == UInt8(ascii: "_") else { return nil }
        let end = bytes[start...].prefix(Self.maximumPlaceholderByteCount)
            .firstIndex { !ASCII.isUnreserved($0) && $0 != ASCII.space }
        return end.flatMap { bytes[$0] == closing ? $0 + 1 : nil }
    }

    var missingValue: LinkWarning? {
        var start = 0
        var isQuery = false
        for index in 0...bytes.count {
            // Delimiters count as written: `%2F` is part of a value.
            let byte = index < bytes.count ? link[offsets[index]] : nil
            let ends = byte == nil || byte == ASCII.slash || byte == ASCII.question || byte == ASCII.hash
            guard ends || isQuery && (byte == ASCII.ampersand || byte == ASCII.equals) else { continue }
            if Self.missing.contains(where: { bytes[start..<index].elementsEqual($0) }), byte != ASCII.equals {
                return warning(.missingValue, start..<index)
            }
            if byte == ASCII.question { isQuery = true }
            start = index + 1
        }
        return nil
    }
}
