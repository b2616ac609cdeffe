/// The address to which browsers without the app are redirected: one for all of them, or one for each of some platforms.
package struct Fallback: Hashable, Sendable {
    /// The address for every platform; `nil` if the platforms have their own.
    package let everywhere: FallbackPattern?

    /// The addresses of the platforms that have one, in the order of ``DevicePlatform``.
    package let platforms: [DevicePlatform: FallbackPattern]

    /// Creates a fallback with one address for every platform.
    package init(_ address: FallbackPattern) {
        everywhere = address
        platforms = [:]
    }

    /// Creates a fallback with an address for each of some platforms.
    package init(_ platforms: [DevicePlatform: FallbackPattern]) {
        everywhere = nil
        self.platforms = platforms
    }

    /// The address for browsers on a platform; `nil` if there is none.
    package subscript(platform: DevicePlatform) -> FallbackPattern? { everywhere ?? platforms[platform] }

    /// The address to continue at on the web: that for every platform, otherwise that of a platform, or of desktops.
    package func onward(from platform: DevicePlatform) -> FallbackPattern? { self[platform] ?? self[.desktop] }
}
