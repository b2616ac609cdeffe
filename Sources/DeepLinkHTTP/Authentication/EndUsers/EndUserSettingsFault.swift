/// Names the setting of ``EndUserSettings`` that makes no sense.
package enum EndUserSettingsFault: Error, Hashable {
    case emptyIssuer
    case emptyAudience
    case emptyPath

    /// The URL is none that keys may be fetched from.
    case url(KeySetURLFault)

    /// The interval is not among ``EndUserSettings/refreshIntervals``.
    case refreshInterval
}
