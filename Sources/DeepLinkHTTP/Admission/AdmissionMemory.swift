import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats
import DeepLinkUsers

/// The conclusions from the header fields of a connection's requests, which mostly repeat themselves.
///
/// A conclusion is valid for a field of the same bytes, and only while the catalog and the copy of the service tokens
/// are those it was drawn from. Refusals are not remembered.
struct AdmissionMemory {
    /// The catalog and the copy of the service tokens, as the number of times each was replaced.
    struct Basis: Equatable {
        private let catalog: Int
        private let tokens: Int

        /// Reads the present counts; call it before drawing a conclusion from either.
        init(_ policy: AdmissionPolicy) {
            catalog = policy.catalog.generation
            tokens = policy.hosts.authentication.serviceTokens.generation
        }
    }

    private var basis: Basis?
    private var accept: (text: String, type: MediaType)?
    private var host: String?
    private var linkHost: (text: String, host: String)?
    private var token: (text: String, caller: Caller, expires: Timestamp?)?

    /// Forgets the conclusions that were not drawn from the present basis.
    mutating func update(for policy: AdmissionPolicy) {
        let present = Basis(policy)
        guard present != basis else { return }
        self = AdmissionMemory()
        basis = present
    }

    /// Returns whether `Accept` is remembered to allow a type.
    func accepts(_ type: MediaType, by fields: FieldValues) -> Bool {
        guard case .one(let text) = fields, let accept else { return false }
        return accept.type == type && Self.areSame(text, accept.text)
    }

    /// Remembers that `Accept` allows a type.
    mutating func rememberAccept(of type: MediaType, by fields: FieldValues) {
        if case .one(let text) = fields { accept = (text, type) }
    }

    /// Returns whether the API is remembered to be reachable by a host.
    func allows(host text: String) -> Bool { host.map { Self.areSame(text, $0) } ?? false }

    /// Remembers a host by which the API is reachable.
    mutating func remember(host text: String) { host = text }

    /// Returns the host of the web links under an authority, if it is remembered.
    func linkHost(_ text: String) -> String? {
        linkHost.flatMap { Self.areSame(text, $0.text) ? $0.host : nil }
    }

    /// Remembers the host of the web links under an authority.
    mutating func remember(linkHost host: String, of text: String) { linkHost = (text, host) }

    /// Returns the holder of the service token in an `Authorization` that is remembered, as long as the token has not
    /// expired; revoking a token creates another copy of the tokens.
    func caller(_ fields: FieldValues, at time: Timestamp) -> Caller? {
        guard case .one(let text) = fields, token.map({ Self.areSame(text, $0.text) }) == true else { return nil }
        if let expires = token?.expires, time > expires { return nil }
        return token?.caller
    }

    /// Remembers the valid service token of an `Authorization`.
    mutating func remember(_ value: ServiceToken, of fields: FieldValues) -> Caller {
        let caller = Caller.service(value.id, value.role)
        if case .one(let text) = fields { token = (text, caller, value.expires) }
        return caller
    }

    private static func areSame(_ left: String, _ right: String) -> Bool { left.bytewise == right.bytewise }
}
