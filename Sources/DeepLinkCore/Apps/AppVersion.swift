/// A version of an app on a platform, such as `ios/3.1.0`.
public struct AppVersion: Hashable, Sendable {
    /// The systems that apps run on.
    public enum Platform: String, CaseIterable, Sendable {
        case ios
        case android
    }

    /// The most numbers of a version.
    private static let maximumCount = 4

    /// The system that the app runs on.
    public let platform: Platform

    /// The numbers of the version, the weightiest first.
    public let numbers: [Int]

    /// Reads `platform/number.number…`, with one to four numbers; `nil` for any other text.
    public init?(_ text: String) {
        let parts = text.utf8.split(separator: ASCII.slash, omittingEmptySubsequences: false)
        guard parts.count == 2, let platform = Platform(bytewise: Substring(parts[0])) else { return nil }
        let fields = parts[1].split(separator: ASCII.dot, omittingEmptySubsequences: false)
        let numbers = fields.compactMap { field in
            field.allSatisfy(ASCII.isDigit) ? Int(Substring(field)) : nil
        }
        guard numbers.count == fields.count, numbers.count <= Self.maximumCount else { return nil }
        self.platform = platform
        self.numbers = numbers
    }
}
