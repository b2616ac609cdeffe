import DeepLinkCore
import Synchronization

/// A cache of parts of pages, by link.
///
/// A link is often followed many times, and a QR code costs more than the rest of a page.
final class PageParts<Part: Sendable>: Sendable {
    /// The maximum number of parts.
    ///
    /// With some 2 KiB each, they stay below 10 MiB.
    private static var capacity: Int { 4_096 }

    /// The maximum size of a cached part in bytes: the QR code of a link of some 150 bytes.
    private static var maximumByteCount: Int { 4_096 }

    private let parts = Mutex(TwoGenerations<ByteText, Part>(capacity: PageParts.capacity))

    /// Returns the cached part of a link, or makes and caches it.
    ///
    /// - Parameters:
    ///   - key: the link, with everything else that determines the part.
    ///   - make: makes the part.
    ///   - size: returns the size of the part in bytes.
    /// - Returns: the part.
    func part(of key: String, make: () -> Part, size: (Part) -> Int) -> Part {
        let key = key.bytewise
        if let known = parts.withLock({ $0.use(key) }) { return known }
        let part = make()
        if size(part) <= Self.maximumByteCount { parts.withLock { $0.insert(part, for: key) } }
        return part
    }
}
