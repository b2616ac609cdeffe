import DeepLinkCore

/// A writer of HTML as bytes.
///
/// It escapes everything except markup.
struct HTMLWriter {
    private(set) var bytes: [UInt8] = []

    init() {
        bytes.reserveCapacity(12_288)
    }

    /// Writes markup.
    mutating func markup(_ text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Writes bytes that are already markup.
    mutating func markup(_ text: [UInt8]) { bytes += text }

    /// Writes a text, or the value of an attribute in double quotes (HTML Living Standard §13.3).
    mutating func text(_ text: String) {
        let text = text.utf8Span.span
        var (start, index) = (0, -1)
        while index &+ 1 < text.count {
            index &+= 1
            // Letters and digits, the most frequent characters, need no escape.
            if text[index] >= UInt8(ascii: "?") { continue }
            let entity: StaticString
            switch text[index] {
            case UInt8(ascii: "&"): entity = "&amp;"
            case UInt8(ascii: "<"): entity = "&lt;"
            case UInt8(ascii: ">"): entity = "&gt;"
            case UInt8(ascii: "\""): entity = "&quot;"
            case UInt8(ascii: "'"): entity = "&#39;"
            default: continue
            }
            append(text.extracting(start..<index))
            markup(entity)
            start = index + 1
        }
        append(text.extracting(start...))
    }

    private mutating func append(_ stretch: Span<UInt8>) {
        stretch.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
    }

    /// Writes a number.
    mutating func number(_ number: Int) { bytes += String(number).utf8 }

    /// Writes a tag with a text as the value of its one attribute.
    mutating func meta(_ start: StaticString, value: String) {
        markup(start)
        text(value)
        markup("\">\n")
    }

    /// Writes an element with a text, and a `lang` attribute if its language differs from the page's.
    mutating func element(_ name: StaticString, content: PageText, in language: String) {
        markup("<")
        markup(name)
        if content.language.bytewise != language.bytewise {
            if !content.language.isEmpty {
                markup(" lang=\"")
                text(content.language)
                markup("\"")
            }
            markup(" dir=\"")
            text(TextDirection(of: content.language).rawValue)
            markup("\"")
        }
        markup(">")
        text(content.text)
        markup("</")
        markup(name)
        markup(">\n")
    }

    /// Writes a link that looks like a button.
    mutating func button(_ kind: StaticString, to address: String, label: String) {
        markup("<a class=\"")
        markup(kind)
        markup("\" href=\"")
        text(address)
        markup("\">")
        text(label)
        markup("</a>\n")
    }
}

/// A text of a page, with its language.
///
/// An empty tag stands for an unknown language.
struct PageText {
    let text: String
    let language: String
}
