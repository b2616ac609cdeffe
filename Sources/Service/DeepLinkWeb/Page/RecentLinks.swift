import DeepLinkCore
import Synchronization

/// A cache of page parts for recent links.
///
/// A link is often followed many times, and a QR code costs more than the rest of a page.
final class RecentLinks<Part: Sendable>: Sendable {
    /// The two generations of the cache.
    ///
    /// A hit in the older one moves to the newer. When the newer is full, the older is dropped.
    private struct Halves {
        var newer: [ByteText: Part] = [:]
        var older: [ByteText: Part] = [:]

        mutating func keep(_ part: Part, of link: ByteText) {
            if newer.count >= RecentLinks.maximumCount { (older, newer) = (newer, [:]) }
            newer[link] = part
        }
    }

    /// The maximum number of links in a generation.
    ///
    /// With some 2 KiB each, both generations stay below 10 MiB.
    private static var maximumCount: Int { 2_048 }

    /// The maximum size of a cached part in bytes: the QR code of a link of some 150 bytes.
    private static var maximumByteCount: Int { 4_096 }

    private let halves = Mutex(Halves())

    /// Returns the cached part of a link, or makes and caches it.
    ///
    /// - Parameters:
    ///   - key: the link, with everything else that determines the part.
    ///   - make: makes the part.
    ///   - size: returns the size of the part in bytes.
    /// - Returns: the part.
    func part(of key: String, make: () -> Part, size: (Part) -> Int) -> Part {
        let key = key.bytewise
        let known = halves.withLock { halves -> Part? in
            if let part = halves.newer[key] { return part }
            guard let part = halves.older.removeValue(forKey: key) else { return nil }
            halves.keep(part, of: key)
            return part
        }
        if let known { return known }
        let part = make()
        if size(part) <= Self.maximumByteCount { halves.withLock { $0.keep(part, of: key) } }
        return part
    }
}
