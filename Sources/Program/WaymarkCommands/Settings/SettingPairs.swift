import DeepLinkCore
import DeepLinkFormats

/// The pairs of a setting that is a mapping: a JSON object made from a mapping of the settings file, or `a=b,c=d`.
struct SettingPairs {
    /// The occurrence of the equals sign that separates name and value.
    enum Sign {
        /// The first one: the value may contain others, as base64 does.
        case first

        /// The last one: the name may contain others.
        case last
    }

    /// The error for a part that isn't a pair.
    struct NoPair: Error {
        let text: String
    }

    /// The pairs in their order.
    let all: [(name: String, value: String)]

    /// Reads the pairs.
    ///
    /// - Throws: ``NoPair`` for the first part without a sign.
    init(_ text: String, dividedAt sign: Sign) throws(NoPair) {
        if text.utf8.first == UInt8(ascii: "{"), case .object(let object)? = try? JSONParser.parse(Array(text.utf8)) {
            all = object.map { ($0.name.string, $0.value.text ?? "") }
            return
        }
        var pairs: [(String, String)] = []
        for part in text.utf8.split(separator: UInt8(ascii: ",")) {
            let byte = UInt8(ascii: "=")
            guard let place = sign == .first ? part.firstIndex(of: byte) : part.lastIndex(of: byte) else {
                throw NoPair(text: String(Substring(part)))
            }
            pairs.append((ASCIISpaces.trimmed(part[..<place]), ASCIISpaces.trimmed(part[part.index(after: place)...])))
        }
        all = pairs
    }
}

extension JSONValue {
    fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }
}
