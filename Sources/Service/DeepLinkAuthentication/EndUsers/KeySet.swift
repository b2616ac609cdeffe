import DeepLinkCore
import DeepLinkFormats

/// The keys that verify end users' tokens: a JWK Set (RFC 7517 §5), read and checked.
package struct KeySet: Sendable {
    /// The author of a key set.
    package enum Origin: Sendable {
        /// The operator, for this service: all of it must make sense.
        case file

        /// An identity provider, for everyone: keys of no use here are left out, and secrets have no place in it.
        case url
    }

    /// The keys by their ids.
    private let keys: [ByteText: VerificationKey]

    /// The keys that are the only ones for their algorithm.
    private let onlyKeys: [SignatureAlgorithm: VerificationKey]

    /// The number of keys that were left out because they have another purpose.
    let foreignCount: Int

    /// The faults of other keys that were left out, each a sentence that names its key.
    let faults: [String]

    /// The number of keys.
    var count: Int { keys.count }

    /// The ids of the keys.
    package var ids: [String] { keys.keys.sorted().map(\.string) }

    /// Whether a key of the set is a secret.
    var hasSecrets: Bool { keys.values.contains { $0.algorithm == .hs256 } }

    /// Returns the key of an id; `nil` if there is none.
    func key(_ id: String) -> VerificationKey? { keys[id.bytewise] }

    /// Returns the key for an algorithm, if there is exactly one; `nil` if there is none, or several.
    func onlyKey(for algorithm: SignatureAlgorithm) -> VerificationKey? { onlyKeys[algorithm] }

    /// Reads a JWK Set.
    ///
    /// Each key needs a `kid` of its own, and a secret its `alg`; an RSA key without one is for RS256.
    ///
    /// - Throws: ``KeySetError``, which names every key at fault and the fix: in a file for any key that cannot be
    ///   used, of any origin if two have one `kid` or no key is left.
    package init(_ document: [UInt8], of origin: Origin) throws(KeySetError) {
        var keys: [ByteText: VerificationKey] = [:]
        var issues: [String] = []
        var faults: [String] = []
        var foreignCount = 0
        for (index, item) in try Self.items(document, of: origin).enumerated() {
            let position = "The key at position \(index + 1)"
            guard case .object(let members) = item else {
                faults.append("\(position) is \(item.typeInWords); write an object.")
                continue
            }
            let reader = JWKReader(members, of: origin)
            let name = reader.id.map { "The key `\($0)`" } ?? position
            do throws(JWKError) {
                let key = try reader.key()
                if keys.updateValue(key, forKey: key.id.bytewise) != nil {
                    issues.append("\(name) is there twice; give each key a `kid` of its own.")
                }
            } catch {
                if origin == .url, error.kind == .foreign {
                    foreignCount += 1
                } else {
                    faults.append("\(name) \(error.message)")
                }
            }
        }
        if origin == .file || keys.isEmpty { issues += faults }
        if keys.isEmpty, issues.isEmpty { issues.append("There is no key to verify tokens with.") }
        guard issues.isEmpty else { throw .invalid(issues) }
        self.keys = keys
        onlyKeys = Dictionary(grouping: keys.values, by: \.algorithm).compactMapValues { $0.count == 1 ? $0[0] : nil }
        self.faults = faults
        self.foreignCount = foreignCount
    }

    private static func items(_ document: [UInt8], of origin: Origin) throws(KeySetError) -> [JSONValue] {
        let value: JSONValue
        do throws(JSONSyntaxError) {
            value = try JSONParser.parse(document)
        } catch {
            // The message may repeat a text of the document, which is not logged if a stranger wrote it.
            let message = origin == .file ? "at byte \(error.offset), \(error.message)" : "see byte \(error.offset)"
            throw .invalid(["It is not JSON: \(message)."])
        }
        guard case .object(let members) = value, case .array(let items)? = members["keys"] else {
            throw .invalid([#"It isn't a JWK Set (RFC 7517 section 5); write {"keys":[…]}."#])
        }
        return items
    }
}
