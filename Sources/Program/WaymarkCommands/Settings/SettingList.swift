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
        return NameList.items(text)
    }

    /// Returns the items of a list of words, which may also be separated by spaces.
    static func words(_ text: String) -> [String] {
        items(text).flatMap { $0.utf8.split(separator: UInt8(ascii: " ")).map { String(Substring($0)) } }
    }
}
