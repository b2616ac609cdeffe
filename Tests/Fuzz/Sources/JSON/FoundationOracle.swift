import Foundation

@testable import DeepLinkCore
@testable import DeepLinkFormats

/// JSON as Foundation reads it, to compare.
enum FoundationOracle {
    /// Checks that Foundation accepts a text that our parser accepts, and reads the same from it.
    static func check(_ value: JSONValue, of bytes: [UInt8]) {
        let other: Any
        do {
            other = try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
        } catch {
            Law.require(false, "Foundation does not accept it: \(error)")
            return
        }
        // Foundation drops a byte order mark at the beginning of a string, though it is a character there.
        guard bytes.firstRange(of: [0xEF, 0xBB, 0xBF]) == nil else { return }
        Law.require(agrees(value, other), "Foundation reads \(other), and not \(value)")
    }

    private static func agrees(_ value: JSONValue, _ other: Any) -> Bool {
        switch value {
        case .null: other is NSNull
        case .bool(let flag): (other as? NSNumber)?.boolValue == flag
        case .integer(let number): (other as? NSNumber)?.int64Value == number
        // Foundation may read a number as a decimal one, and loses the last digits on the way to a binary one.
        case .number(let number):
            ((other as? NSNumber)?.doubleValue).map { abs($0 - number) <= abs(number) * 1e-12 } ?? false
        case .string(let text): (other as? String).map { $0.utf8.elementsEqual(text.utf8) } ?? false
        case .array(let items):
            (other as? [Any])
                .map { others in
                    others.count == items.count && zip(items, others).allSatisfy { agrees($0, $1) }
                } ?? false
        case .object(let members):
            (other as? [String: Any])
                .map { others in
                    // Foundation takes keys for one that are canonically equivalent.
                    others.count == Set(members.names.map(\.string)).count
                        && (others.count < members.count
                            || members.allSatisfy { name, value in
                                others[name.string].map { agrees(value, $0) } ?? false
                            })
                } ?? false
        }
    }
}
