import Foundation

/// Spells a JSON value in one way, so that two spellings of it compare equal.
package enum CanonicalJSON {
    /// Spells a value of `JSONSerialization`.
    package static func text(_ value: Any) throws -> String {
        String(
            decoding: try JSONSerialization.data(
                withJSONObject: value,
                options: [.sortedKeys, .withoutEscapingSlashes, .fragmentsAllowed]
            ),
            as: UTF8.self
        )
    }

    /// Reads JSON and picks one member of the object; `nil` if it has none.
    package static func member(_ key: String, of json: [UInt8]) throws -> String? {
        let object = try JSONSerialization.jsonObject(with: Data(json)) as? [String: Any]
        return try object?[key].map(text)
    }
}
