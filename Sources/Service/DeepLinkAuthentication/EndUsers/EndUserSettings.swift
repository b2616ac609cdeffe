package import DeepLinkCore
import DeepLinkFormats

/// The settings of end users' tokens: their issuers, their audiences and the keys that verify them.
package struct EndUserSettings: Sendable {
    /// A source of keys.
    package enum Source: Sendable {
        /// A file that holds a JWK Set.
        case file(path: String)

        /// A URL that returns a JWK Set, over https unless its host is a loopback address.
        case url(String)
    }

    /// The intervals at which keys may be read again, in seconds.
    package static let refreshIntervals = 10...86_400

    /// The default interval, in seconds.
    package static let defaultRefreshInterval = 300

    /// The accepted values of the tokens' `iss`.
    ///
    /// All issuers share the keys, and one `sub` is one user.
    package let issuers: [String]

    /// The accepted values of the tokens' `aud`.
    ///
    /// A token must contain one of them.
    package let audiences: [String]

    let source: any KeySetSource
    let pace: RefreshPace

    /// The rules for levels in the tokens.
    package private(set) var levels = EndUserLevels()

    /// The rules for grants in the tokens.
    package private(set) var grants = EndUserGrants()
}

extension EndUserSettings {
    /// Creates settings after checking them.
    ///
    /// - Parameters:
    ///   - issuers: the accepted values of the tokens' `iss`, one or more.
    ///   - audiences: the accepted values of the tokens' `aud`, one or more.
    ///   - source: the source of the keys. It is not opened here.
    ///   - refreshInterval: the interval at which the keys are read again, in seconds.
    ///   - levels: the levels in the tokens.
    ///   - grants: the grants in the tokens.
    /// - Throws: ``EndUserSettingsError``.
    package init(
        issuers: [String],
        audiences: [String],
        source: Source,
        refreshInterval: Int = defaultRefreshInterval,
        levels: EndUserLevels = EndUserLevels(),
        grants: EndUserGrants = EndUserGrants()
    ) throws(EndUserSettingsError) {
        guard !issuers.isEmpty, issuers.allSatisfy({ !$0.isEmpty }) else { throw .emptyIssuer }
        guard !audiences.isEmpty, audiences.allSatisfy({ !$0.isEmpty }) else { throw .emptyAudience }
        guard Self.refreshIntervals.contains(refreshInterval) else { throw .refreshInterval }
        let keys: any KeySetSource
        switch source {
        case .file(let path):
            guard !path.isEmpty else { throw .emptyPath }
            keys = KeyFile(path: path)
        case .url(let text):
            do throws(TrustedURLError) {
                keys = KeySetDownload(url: try TrustedURL(text))
            } catch {
                throw .url(error)
            }
        }
        self.init(
            issuers: issuers,
            audiences: audiences,
            source: keys,
            pace: RefreshPace(interval: .seconds(refreshInterval)),
            levels: levels,
            grants: grants
        )
    }
}

/// The rules for grants in end users' tokens: the values of a claim are names of grants, or words mapped to grants.
package struct EndUserGrants: Sendable {
    private let claim: TokenClaim?

    /// The grant that each word of the claim gives, or `nil` if the claim has the names of grants.
    package let byWord: [ByteText: GrantName]?

    /// Creates the rules for grants in tokens.
    ///
    /// - Parameters:
    ///   - claim: the name of the claim, followed by a dot and the name of a member if the claim is an object, or `nil`
    ///     for tokens without grants.
    ///   - byWord: the grant that each word of the claim gives, or `nil` if the claim has the names of grants. Other
    ///     words give none.
    package init(claim: String? = nil, byWord: [ByteText: GrantName]? = nil) {
        self.claim = claim.map(TokenClaim.init)
        self.byWord = byWord
    }

    /// Returns the names of the grants in a token's claims.
    func names(_ claims: JSONObject) -> [GrantName] {
        guard let claim else { return [] }
        var names: [GrantName] = []
        for value in claim.values(in: claims) {
            let name = byWord.map { $0[value.bytewise] } ?? GrantName(value)
            if let name, !names.contains(name) { names.append(name) }
        }
        return names
    }
}

/// The rules for levels in end users' tokens: the level of every valid token, and the levels of a claim's values.
package struct EndUserLevels: Sendable {
    /// The level that every valid token gives, or `nil` for none.
    package let minimum: LevelName?
    private let claim: TokenClaim?

    /// The level that each value of the claim gives.
    package let byValue: [ByteText: LevelName]

    /// Creates the rules for levels in tokens.
    ///
    /// - Parameters:
    ///   - minimum: the level that every valid token gives, or `nil` for none.
    ///   - claim: the name of the claim, followed by a dot and the name of a member if the claim is an object.
    ///   - levels: the level that each value of the claim gives. Other values give none.
    package init(
        minimum: LevelName? = nil,
        claim: String? = nil,
        levels: [ByteText: LevelName] = [:]
    ) {
        self.minimum = minimum
        self.claim = claim.map(TokenClaim.init)
        byValue = levels
    }

    /// Returns the names of the levels in a token's claims, of which the highest applies.
    func names(_ claims: JSONObject) -> [LevelName] {
        var names = [minimum].compactMap(\.self)
        for value in claim?.values(in: claims) ?? [] {
            if let name = byValue[value.bytewise], !names.contains(name) { names.append(name) }
        }
        return names
    }
}

/// The reason why ``EndUserSettings`` are invalid.
package enum EndUserSettingsError: Error, Hashable, CustomStringConvertible {
    /// The issuer is missing.
    case emptyIssuer

    /// The audience is missing.
    case emptyAudience

    /// The path of the key file is empty.
    case emptyPath

    /// The URL is not allowed as a source of keys.
    case url(TrustedURLError)

    /// The interval is outside ``EndUserSettings/refreshIntervals``.
    case refreshInterval

    /// The description of the error: a sentence without its period.
    package var description: String {
        switch self {
        case .emptyIssuer: "the issuer of end users' tokens is empty"
        case .emptyAudience: "the audience of end users' tokens is empty"
        case .emptyPath: "the key file of end users' tokens has no path"
        case .url(let fault): "the keys of end users' tokens cannot be fetched from that URL: \(fault)"
        case .refreshInterval:
            "the keys of end users' tokens are read again every \(EndUserSettings.refreshIntervals.lowerBound) to "
                + "\(EndUserSettings.refreshIntervals.upperBound) seconds"
        }
    }
}
