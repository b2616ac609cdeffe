package import DeepLinkCore
import Foundation

/// One link of the sample app, and what it must lead to.
package struct SampleAppCase: Sendable, CustomStringConvertible {
    /// The link.
    package let link: String

    /// The level that its stack requires.
    package let requiredLevel: AuthorizationLevel

    /// The stack as canonical JSON: sorted keys, no spaces.
    package let stack: String

    package var description: String { link }

    init(_ json: [String: Any]) throws {
        guard let link = json["link"] as? String, let level = json["requiredLevel"] as? String,
            let requiredLevel = AuthorizationLevel(name: level), let stack = json["stack"]
        else { throw CocoaError(.coderReadCorrupt) }
        self.link = link
        self.requiredLevel = requiredLevel
        self.stack = try CanonicalJSON.text(stack)
    }
}
