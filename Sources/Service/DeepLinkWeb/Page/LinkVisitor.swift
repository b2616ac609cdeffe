package import DeepLinkCore

/// The visitor of a link's page, as far as the page depends on them.
package struct LinkVisitor: Sendable {
    /// Whether the visitor is a browser, which may be redirected; otherwise it makes a preview.
    package let isBrowser: Bool

    /// The platform of the visitor's device.
    package let platform: DevicePlatform

    /// The visitor's languages, as in the field `Accept-Language`.
    package let acceptLanguage: String?

    /// The visitor's languages.
    let languages: LanguageRanges

    /// Creates a visitor from its parts.
    package init(isBrowser: Bool, platform: DevicePlatform = .desktop, acceptLanguage: String? = nil) {
        self.isBrowser = isBrowser
        self.platform = platform
        self.acceptLanguage = acceptLanguage
        languages = LanguageRanges(acceptLanguage)
    }
}
