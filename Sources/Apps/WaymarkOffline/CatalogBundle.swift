import DeepLinkCatalog
public import DeepLinkCore
import DeepLinkFormats

/// A catalog on its way to apps: numbered, dated, and signed in a safe place.
///
/// ```json
/// {"sequence":7,"issuedAt":"2026-11-22T09:00:00Z","catalog":{…}}
/// ```
///
/// `catalog` is the body of `GET /v1/catalog`. The signature is over these very bytes, in a file or header field beside them.
///
/// ```swift
/// if let key = BundleKey("Gb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE"), let signature = BundleSignature(signature) {
///     let bundle = try CatalogBundle(bytes, signature: signature, trusting: [key])
///     print(bundle.sequence, bundle.issuedAt.rfc3339)
/// }
/// ```
public struct CatalogBundle: Sendable {
    /// The sequence number.
    ///
    /// It increases with every bundle. Apps refuse a number lower than their own.
    public let sequence: Int

    /// The time at which the bundle was made.
    public let issuedAt: Timestamp

    /// The catalog, with the version of the file that it was made from.
    public let catalog: RouteCatalog

    /// The signed bytes.
    public let bytes: [UInt8]

    /// The detached signature of the bytes.
    public let signature: BundleSignature

    /// Reads a bundle that is signed with a trusted key.
    ///
    /// - Throws: ``CatalogBundleError``, before anything of the bundle is read if the signature is invalid.
    /// - Complexity: linear in the bytes.
    ///
    /// ```swift
    /// do throws(CatalogBundleError) {
    ///     guard let signature = BundleSignature(signature) else { return }
    ///     _ = try CatalogBundle(bytes, signature: signature, trusting: [])
    /// } catch .unknownKey(let id) {
    ///     print("The key \(id) isn't trusted.")
    /// }
    /// ```
    public init(
        _ bytes: [UInt8],
        signature: BundleSignature,
        trusting keys: [BundleKey]
    ) throws(CatalogBundleError) {
        guard let key = keys.first(where: { $0.id.bytewise == signature.keyID.bytewise }) else {
            throw .unknownKey(signature.keyID)
        }
        guard key.isSignature(signature, of: bytes) else { throw .invalidSignature }
        let document: BundleDocument
        do throws(CatalogError) {
            document = try BundleDocument(bytes)
        } catch {
            throw .malformed(error.issues.first?.message ?? "its catalog is at fault")
        }
        sequence = Int(document.sequence)
        issuedAt = document.issuedAt
        catalog = document.catalog
        self.bytes = bytes
        self.signature = signature
    }

    /// Reads the description of a bundle, signed by any key, or returns `nil` for other bytes.
    package static func outline(of bytes: [UInt8]) -> (sequence: Int, catalogVersion: String)? {
        guard case .object(let members)? = try? JSONParser.parse(bytes),
            case .integer(let sequence)? = members["sequence"], sequence >= 0,
            case .object(let catalog)? = members["catalog"], case .string(let version)? = catalog["catalogVersion"],
            version.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
        else { return nil }
        return (Int(sequence), version)
    }

    /// Returns the bytes of a bundle, to be signed.
    package static func bytes(of catalog: RouteCatalog, sequence: Int, issuedAt: Timestamp) -> [UInt8] {
        BundleDocument.bytes(of: catalog, sequence: Int64(sequence), issuedAt: issuedAt)
    }
}

/// The reason why a bundle cannot be used.
///
/// ```swift
/// try await store.refresh()
/// if case .rolledBack(let sequence, let inForce)? = store.refused {
///     print("The server has bundle \(sequence); the app has \(inForce).")
/// }
/// ```
public enum CatalogBundleError: Error, Sendable {
    /// The bundle is signed with an untrusted key, with this id.
    case unknownKey(String)

    /// The signature does not belong to these bytes.
    case invalidSignature

    /// The signature is valid, but the bundle cannot be read.
    case malformed(String)

    /// Its sequence number is lower than the number of the bundle in force.
    case rolledBack(sequence: Int, inForce: Int)

    /// The server doesn't have a bundle, or responded with this status.
    case unavailable(status: Int)
}
