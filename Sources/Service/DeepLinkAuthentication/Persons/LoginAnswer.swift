import DeepLinkCore

/// The answer of a provider to a login, as a browser brings it (RFC 6749 §4.1.2).
package struct LoginAnswer: Sendable {
    private static let maximumByteCount = 4096

    private let codeText: String?
    private let error: String?
    private let issuer: String?

    /// Creates an answer from the parameters of the address; `nil` for one that is absent.
    package init(code: String?, error: String?, issuer: String?) {
        codeText = code
        self.error = error
        self.issuer = issuer
    }

    /// Returns whether an answer names an issuer; whether it may name none depends on the provider (RFC 9207 §2.4).
    func isOf(issuer expected: String, isNamed: Bool) -> Bool {
        issuer.map { $0.bytewise == expected.bytewise } ?? !isNamed
    }

    /// Returns the code.
    ///
    /// - Throws: ``LoginError/denied``, or ``LoginError/provider(_:)`` for any other error, and an answer without a code.
    func code() throws(LoginError) -> String {
        switch error?.bytewise {
        case nil: break
        case "access_denied": throw .denied
        default: throw .provider("The identity provider answers a login with an error; its own log says which.")
        }
        guard let codeText, (1...Self.maximumByteCount).contains(codeText.utf8.count) else {
            throw .provider("The identity provider answers a login without a code.")
        }
        return codeText
    }
}
