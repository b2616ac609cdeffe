/// The apps that open a catalog's links, by platform.
public struct Apps: Hashable, Sendable {
    /// The apps of Apple's platforms, in the order of the file.
    public let apple: [AppleApp]

    /// The apps of Android, in the order of the file.
    public let android: [AndroidApp]

    /// The place where the catalog declares them; `nil` where it declares none.
    public let location: SourceLocation?

    /// The apps of a catalog that names none.
    public static let none = Apps(apple: [], android: [], location: nil)

    /// Creates the list from its parts.
    public init(apple: [AppleApp], android: [AndroidApp], location: SourceLocation?) {
        self.apple = apple
        self.android = android
        self.location = location
    }
}
