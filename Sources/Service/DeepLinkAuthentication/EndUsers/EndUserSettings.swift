/// The settings of end users' tokens: who makes them, for whom they are made and which keys verify them.
package struct EndUserSettings: Sendable {
    /// A source of keys.
    package enum Source: Sendable {
        /// A file that holds a JWK Set.
        case file(path: String)

        /// A URL that answers with a JWK Set, over https unless its host is a loopback address.
        case url(String)
    }

    /// The intervals at which keys may be read again, in seconds.
    package static let refreshIntervals = 10...86_400

    /// The default interval, in seconds.
    package static let defaultRefreshInterval = 300

    /// The accepted values of the tokens' `iss`; all of them share the keys, and one `sub` is one user.
    package let issuers: [String]

    /// The accepted values of the tokens' `aud`, which must name one of them.
    package let audiences: [String]

    /// The levels in the tokens.
    package let levels: EndUserLevels

    /// The grants in the tokens.
    package let grants: EndUserGrants

    let source: any KeySetSource
    let pace: RefreshPace

    /// Checks and creates settings.
    ///
    /// - Parameters:
    ///   - issuers: the accepted values of the tokens' `iss`, one or more.
    ///   - audiences: the accepted values of the tokens' `aud`, one or more.
    ///   - source: the source of the keys, which is not opened here.
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
            do throws(KeySetURLError) {
                keys = KeySetDownload(url: try KeySetURL(text))
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

    init(
        issuers: [String],
        audiences: [String],
        source: any KeySetSource,
        pace: RefreshPace,
        levels: EndUserLevels = EndUserLevels(),
        grants: EndUserGrants = EndUserGrants()
    ) {
        self.issuers = issuers
        self.audiences = audiences
        self.source = source
        self.pace = pace
        self.levels = levels
        self.grants = grants
    }
}
