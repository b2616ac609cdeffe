import DeepLinkCore
import Synchronization

/// A cache of the parts of pages that recent links share: a link is often followed many times, and a QR code costs more
/// than the rest of a page.
final class RecentLinks<Part: Sendable>: Sendable {
    /// The two generations of the cache: a hit in the older moves to the newer; when that is full, the older one is
    /// dropped.
    private struct Halves {
        var newer: [ByteText: Part] = [:]
        var older: [ByteText: Part] = [:]

        mutating func keep(_ part: Part, of link: ByteText) {
            if newer.count >= RecentLinks.maximumCount { (older, newer) = (newer, [:]) }
            newer[link] = part
        }
    }

    /// The most links of a generation: with some 2 KiB each, both stay below 10 MiB.
    private static var maximumCount: Int { 2_048 }

    /// The largest part that is kept, in bytes: the QR code of a link of some 150 bytes.
    private static var maximumByteCount: Int { 4_096 }

    private let halves = Mutex(Halves())

    /// Finds the part of a link in the cache, or makes and stores it.
    ///
    /// - Parameters:
    ///   - key: the link, with everything that the part depends on.
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
