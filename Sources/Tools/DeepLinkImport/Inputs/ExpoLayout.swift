import DeepLinkCore

/// The screens of a layout, from the tags of its text.
///
/// Nothing is executed.
struct ExpoLayout {
    /// A screen that the layout names.
    struct Screen {
        /// The presentation, as catalogs write it, or `nil` if the layout says nothing of it.
        let presentation: String?
    }

    /// Whether the layout has tabs or a drawer.
    let hasTabs: Bool

    /// The screen that is shown first, as the layout names it.
    let initial: String?

    /// The questions about guarded screens.
    let questions: [String]

    private let screens: [ByteText: Screen]

    init(_ text: String, path: String) {
        let text = Array(text.utf8.prefix(ExpoFile.maximumLayoutByteCount))
        hasTabs = ["<Tabs", "<NativeTabs", "<Drawer", "<MaterialTopTabs", "<TopTabs"]
            .contains { Self.find($0, in: text[...]) != nil }
        initial = ["initialRouteName", "anchor"].lazy.compactMap { Self.value(of: $0, in: text[...]) }.first
        var screens: [ByteText: Screen] = [:]
        for tag in Self.tags(endingWith: ".Screen", in: text) {
            guard let name = Self.value(of: "name", in: tag) else { continue }
            let presentation = Self.value(of: "presentation", in: tag).flatMap(Self.presentation)
            screens[name.bytewise] = Screen(presentation: presentation)
        }
        self.screens = screens
        questions = Self.tags(endingWith: ".Protected", in: text).prefix(64)
            .map { tag in
                let guardText = Self.braces(after: "guard", in: tag) ?? "a guard"
                let rest = text[tag.endIndex...]
                let end = Self.find(".Protected>", in: rest) ?? rest.endIndex
                let names = Self.tags(endingWith: ".Screen", in: Array(rest[..<end]))
                    .compactMap { Self.value(of: "name", in: $0) }
                let line = text[..<tag.startIndex].count { $0 == UInt8(ascii: "\n") } + 1
                let screens = names.isEmpty ? "its screens" : names.map { "`\($0)`" }.joined(separator: ", ")
                return "\(path):\(line): \(screens) are shown if `\(guardText)`: which level is that?"
            }
    }

    /// The presentation of the screens, as catalogs write it.
    var presentation: String { hasTabs ? "tab" : "push" }

    /// The grounds for the presentation.
    var reason: String { hasTabs ? "a layout with tabs" : "a guess" }

    /// Returns what the layout says of a screen, which it names with or without `/index`.
    func screen(_ key: String) -> Screen? {
        if let screen = screens[key.bytewise] { return screen }
        let ending = "/index"
        guard key.utf8.suffix(ending.utf8.count).elementsEqual(ending.utf8) else { return nil }
        return screens[ByteText(String(Substring(key.utf8.dropLast(ending.utf8.count))))]
    }

    private static func presentation(_ word: String) -> String? {
        switch word.bytewise {
        case "modal", "formSheet", "pageSheet", "containedModal": "sheet"
        case "fullScreenModal", "transparentModal", "containedTransparentModal": "fullScreenCover"
        case "card", "push": "push"
        default: nil
        }
    }

    // MARK: Text

    /// Returns the place of the first occurrence of a word.
    static func find(_ word: String, in text: ArraySlice<UInt8>) -> Int? {
        let word = Array(word.utf8)
        var place = text.startIndex
        while place + word.count <= text.endIndex {
            guard let first = text[place...].firstIndex(of: word[0]), first + word.count <= text.endIndex else {
                return nil
            }
            if text[first..<(first + word.count)].elementsEqual(word) { return first }
            place = first + 1
        }
        return nil
    }

    /// Returns the tags whose names end with a word, from the word to the bracket that closes them.
    private static func tags(endingWith ending: String, in text: [UInt8]) -> [ArraySlice<UInt8>] {
        var tags: [ArraySlice<UInt8>] = []
        var place = text.startIndex
        while tags.count < 1000, let start = find(ending, in: text[place...]) {
            var (end, depth) = (start + ending.utf8.count, 0)
            let isOpening = end < text.endIndex && text[end] != UInt8(ascii: ">") || opens(text, start)
            scan: while end < text.endIndex {
                switch text[end] {
                case UInt8(ascii: "{"): depth += 1
                case UInt8(ascii: "}"): depth -= 1
                case UInt8(ascii: ">") where depth <= 0 && text[end - 1] != UInt8(ascii: "="): break scan
                default: break
                }
                end += 1
            }
            if isOpening { tags.append(text[start..<end]) }
            place = end
        }
        return tags
    }

    /// Returns whether the tag around a place is an opening one.
    private static func opens(_ text: [UInt8], _ place: Int) -> Bool {
        guard let bracket = text[..<place].lastIndex(of: UInt8(ascii: "<")) else { return false }
        return text[bracket + 1] != UInt8(ascii: "/")
    }

    /// Returns the quoted text behind a name, as in `name="index"`, `name={'index'}` and `anchor: "index"`.
    private static func value(of name: String, in text: ArraySlice<UInt8>) -> String? {
        var rest = text
        while let start = find(name, in: rest) {
            let isWhole = start == text.startIndex || !ASCII.isLetter(text[start - 1])
            var place = start + name.utf8.count
            while place < text.endIndex, " =:{\n\t".utf8.contains(text[place]) { place += 1 }
            if isWhole, place < text.endIndex, place > start + name.utf8.count, "\"'`".utf8.contains(text[place]) {
                let end = text[(place + 1)...].firstIndex(of: text[place]) ?? text.endIndex
                guard end - place < 200 else { return nil }
                return String(decoding: text[(place + 1)..<end], as: UTF8.self)
            }
            rest = text[(start + name.utf8.count)...]
        }
        return nil
    }

    /// Returns the text in braces behind a name, as in `guard={isSignedIn}`.
    private static func braces(after name: String, in text: ArraySlice<UInt8>) -> String? {
        guard let start = find(name, in: text), let open = text[start...].firstIndex(of: UInt8(ascii: "{")) else {
            return nil
        }
        var (end, depth) = (open + 1, 1)
        while end < text.endIndex {
            if text[end] == UInt8(ascii: "{") { depth += 1 }
            if text[end] == UInt8(ascii: "}") { depth -= 1 }
            if depth == 0 { break }
            end += 1
        }
        return String(String(decoding: text[(open + 1)..<end], as: UTF8.self).prefix(80))
    }
}
