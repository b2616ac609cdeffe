import DeepLinkAuthentication
import DeepLinkCore
import DeepLinkFormats

/// What was concluded from the fields of a connection's requests, which mostly repeat themselves.
///
/// A conclusion holds for a field of the same bytes, and only as long as the catalog and the copy of the service tokens
/// are those that it was drawn from. Refusals are not remembered.
struct AdmissionMemory {
    /// The catalog and the copy of the tokens, by how often each was replaced.
    struct Basis: Equatable {
        private let catalog: Int
        private let tokens: Int

        /// The present ones; to be read before what is concluded from them.
        init(_ environment: ServiceEnvironment) {
            catalog = environment.catalog.generation
            tokens = environment.authentication.serviceTokens.generation
        }
    }

    private var basis: Basis?
    private var accept: (text: String, type: MediaType)?
    private var host: String?
    private var linkHost: (text: String, host: String)?
    private var token: (text: String, caller: Caller, expires: Timestamp?)?

    /// Forgets what was concluded from anything but the present basis.
    mutating func update(_ environment: ServiceEnvironment) {
        let present = Basis(environment)
        guard present != basis else { return }
        self = AdmissionMemory()
        basis = present
    }

    /// Returns whether `Accept` was found to allow a type.
    func accepts(_ type: MediaType, _ fields: FieldValues) -> Bool {
        guard case .one(let text) = fields, let accept else { return false }
        return accept.type == type && Self.areSame(text, accept.text)
    }

    /// Remembers that `Accept` allows a type.
    mutating func rememberAccept(_ type: MediaType, _ fields: FieldValues) {
        if case .one(let text) = fields { accept = (text, type) }
    }

    /// Returns whether a host was found to be one that the API may be reached by.
    func allows(host text: String) -> Bool { host.map { Self.areSame(text, $0) } ?? false }

    /// Remembers a host by which the API may be reached.
    mutating func remember(host text: String) { host = text }

    /// The host of the web links under an authority, if it was found before.
    func linkHost(_ text: String) -> String? {
        linkHost.flatMap { Self.areSame(text, $0.text) ? $0.host : nil }
    }

    /// Remembers the host of the web links under an authority.
    mutating func remember(linkHost host: String, of text: String) { linkHost = (text, host) }

    /// The holder of the service token that an `Authorization` was found to hold, as long as it has not expired; one that is
    /// taken back makes another copy of the tokens.
    func caller(_ fields: FieldValues, at time: Timestamp) -> Caller? {
        guard case .one(let text) = fields, token.map({ Self.areSame(text, $0.text) }) == true else { return nil }
        if let expires = token?.expires, time > expires { return nil }
        return token?.caller
    }

    /// Remembers the service token of an `Authorization`, which may be used.
    mutating func remember(_ value: ServiceToken, _ fields: FieldValues) -> Caller {
        let caller = Caller.service(value.id, value.role)
        if case .one(let text) = fields { token = (text, caller, value.expires) }
        return caller
    }

    private static func areSame(_ left: String, _ right: String) -> Bool { left.bytewise == right.bytewise }
}
