package import DeepLinkCore
import DeepLinkFormats

/// A service token without its digest.
///
/// Its text is included only right after its creation.
package struct ServiceTokenBody: WireBody {
    private let token: ServiceToken
    private let text: String?
    private let time: Timestamp

    /// Creates the body of a token.
    ///
    /// The member `isUsable` tells whether it is accepted at the given time.
    package init(_ token: ServiceToken, text: String? = nil, at time: Timestamp) {
        self.token = token
        self.text = text
        self.time = time
    }

    /// Writes the body as JSON.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.members([
                ("id", token.id.text), ("role", token.role.rawValue), ("note", token.note.isEmpty ? nil : token.note),
                ("createdAt", token.created.rfc3339), ("expires", token.expires?.rfc3339),
                ("revokedAt", token.revoked?.rfc3339), ("lastUsed", token.lastUsed?.text),
                ("token", text),
            ])
            if !token.grants.isEmpty {
                writer.member("grants", array: token.grants) { writer, name in writer.string(name.text) }
            }
            writer.member("isUsable", token.isUsable(at: time))
        }
    }
}
