/// The setting of ``EndUserSettings`` that makes no sense.
package enum EndUserSettingsError: Error, Hashable, CustomStringConvertible {
    /// The issuer is missing.
    case emptyIssuer

    /// The audience is missing.
    case emptyAudience

    /// The file has no path.
    case emptyPath

    /// Keys can't be fetched from the URL.
    case url(KeySetURLError)

    /// The interval is not among ``EndUserSettings/refreshIntervals``.
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
