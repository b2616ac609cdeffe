/// The settings of end users' tokens: who makes them, for whom they are made and which keys verify them.
package struct EndUserSettings: Sendable {
    /// A place where keys may come from.
    package enum Source: Sendable {
        /// A file that holds a JWK Set.
        case file(path: String)

        /// A URL that answers with a JWK Set, over https unless its host is a loopback address.
        case url(String)
    }

    /// The intervals at which keys may be read again, in seconds.
    package static let refreshIntervals = 10...86_400

    /// The interval where none is set, in seconds.
    package static let defaultRefreshInterval = 300

    /// The `iss` of the tokens.
    package let issuer: String

    /// What `aud` of the tokens must name.
    package let audience: String

    let source: any KeySetSource
    let pace: RefreshPace

    /// Checks and creates settings.
    ///
    /// - Parameters:
    ///   - issuer: the `iss` of the tokens.
    ///   - audience: what `aud` of the tokens must name.
    ///   - source: where the keys come from; neither is opened here.
    ///   - refreshInterval: how often the keys are read again, in seconds.
    /// - Throws: ``EndUserSettingsError``.
    package init(
        issuer: String,
        audience: String,
        source: Source,
        refreshInterval: Int = defaultRefreshInterval
    ) throws(EndUserSettingsError) {
        guard !issuer.isEmpty else { throw .emptyIssuer }
        guard !audience.isEmpty else { throw .emptyAudience }
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
            issuer: issuer,
            audience: audience,
            source: keys,
            pace: RefreshPace(interval: .seconds(refreshInterval))
        )
    }

    init(issuer: String, audience: String, source: any KeySetSource, pace: RefreshPace) {
        self.issuer = issuer
        self.audience = audience
        self.source = source
        self.pace = pace
    }
}
