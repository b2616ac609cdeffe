import DeepLinkCore

/// The direction of a language's script, as a value of HTML's `dir`.
enum TextDirection: String {
    case leftToRight = "ltr"
    case rightToLeft = "rtl"

    /// The direction that browsers derive from the text.
    case unknown = "auto"

    /// The languages that are written from right to left, unless the tag names another script.
    private static let rightToLeftLanguages: Set<ByteText> = [
        "ar", "arc", "ckb", "dv", "fa", "ff-adlm", "he", "iw", "ks", "nqo", "pnb", "ps", "sd", "syr", "ug", "ur", "yi",
    ]

    /// The scripts that are written from right to left (ISO 15924).
    private static let rightToLeftScripts: Set<ByteText> = ["adlm", "arab", "hebr", "nkoo", "rohg", "syrc", "thaa"]

    /// Creates the direction of a tag; an empty tag has an unknown one.
    init(of tag: String) {
        let subtags = tag.lowercased().utf8.split(separator: UInt8(ascii: "-")).map { String(Substring($0)) }
        guard let language = subtags.first else {
            self = .unknown
            return
        }
        if let script = subtags.dropFirst().first(where: { $0.utf8.count == 4 && !ASCII.isDigit($0.utf8.first ?? 0) }) {
            self = Self.rightToLeftScripts.contains(script.bytewise) ? .rightToLeft : .leftToRight
        } else {
            self = Self.rightToLeftLanguages.contains(language.bytewise) ? .rightToLeft : .leftToRight
        }
    }
}
