/// The apps that open a catalog's links, by platform.
package struct Apps: Hashable, Sendable {
    /// The apps for Apple's platforms, in the order of the file.
    package let apple: [AppleApp]

    /// The Android apps, in the order of the file.
    package let android: [AndroidApp]

    /// The location of the declaration; `nil` if the catalog has none.
    package let location: SourceLocation?

    /// The list of a catalog without apps.
    package static let none = Apps(apple: [], android: [], location: nil)

    /// Creates the list from its parts.
    package init(apple: [AppleApp], android: [AndroidApp], location: SourceLocation?) {
        self.apple = apple
        self.android = android
        self.location = location
    }
}
