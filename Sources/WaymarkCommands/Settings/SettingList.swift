import DeepLinkCore
import DeepLinkFormats

/// The items of a setting that is a list: the JSON array made from a list of the settings file, or strings separated by
/// commas.
enum SettingList {
    /// Returns the items of a list without surrounding spaces; empty ones are left out.
    static func items(_ text: String) -> [String] {
        if text.utf8.first == UInt8(ascii: "["), case .array(let items)? = try? JSONParser.parse(Array(text.utf8)) {
            return items.compactMap { if case .string(let item) = $0, !item.isEmpty { item } else { nil } }
        }
        return text.utf8.split(separator: UInt8(ascii: ",")).map(ASCIISpaces.trimmed).filter { !$0.isEmpty }
    }

    /// Returns the items of a list of words, which may also be separated by spaces.
    static func words(_ text: String) -> [String] {
        items(text).flatMap { $0.utf8.split(separator: UInt8(ascii: " ")).map { String(Substring($0)) } }
    }
}

/// The spaces around a text.
enum ASCIISpaces {
    /// Returns a text without the spaces around it.
    static func trimmed(_ text: Substring.UTF8View) -> String {
        let space = UInt8(ascii: " ")
        let end = text.lastIndex { $0 != space }.map { text.index(after: $0) } ?? text.startIndex
        return String(Substring(text[..<end].drop { $0 == space }))
    }
}
