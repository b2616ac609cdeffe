/// The platform of a visitor's device, as far as a page depends on it.
package enum DevicePlatform: String, CaseIterable, Sendable {
    /// iPhones and iPads.
    case ios

    /// Android phones and tablets.
    case android

    /// All others, and unknown ones.
    case desktop
}
