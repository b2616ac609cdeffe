/// The setting of ``EndUserSettings`` that makes no sense.
package enum EndUserSettingsError: Error, Hashable, CustomStringConvertible {
    /// There is no issuer.
    case emptyIssuer

    /// There is no audience.
    case emptyAudience

    /// The file has no path.
    case emptyPath

    /// The URL is none that keys may be fetched from.
    case url(KeySetURLError)

    /// The interval is not among ``EndUserSettings/refreshIntervals``.
    case refreshInterval

    /// What is wrong: a sentence without its end.
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
