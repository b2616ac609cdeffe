import DeepLinkCore
import Synchronization

/// A cache of recent links' forms: a link is often followed many times, and its forms cost more than the rest of a
/// page.
final class RecentLinks: Sendable {
    /// The two generations of the cache: a hit in the older moves to the newer; when that is full, the older one is
    /// dropped.
    private struct Halves {
        var newer: [ByteText: LinkForms] = [:]
        var older: [ByteText: LinkForms] = [:]

        mutating func keep(_ forms: LinkForms, of link: ByteText) {
            if newer.count >= maximumCount { (older, newer) = (newer, [:]) }
            newer[link] = forms
        }
    }

    /// The most links of a generation: with some 2 KiB each, both stay below 10 MiB.
    private static let maximumCount = 2_048

    /// The largest QR code that is kept, in bytes: that of a link of some 150 bytes.
    private static let maximumByteCount = 4_096

    private let halves = Mutex(Halves())

    /// Returns the forms of a link from the cache, or makes and stores them.
    func forms(of link: String, make: () -> LinkForms) -> LinkForms {
        let key = link.bytewise
        let known = halves.withLock { halves -> LinkForms? in
            if let forms = halves.newer[key] { return forms }
            guard let forms = halves.older.removeValue(forKey: key) else { return nil }
            halves.keep(forms, of: key)
            return forms
        }
        if let known { return known }
        let forms = make()
        if let code = forms.code, code.path.count <= Self.maximumByteCount {
            halves.withLock { $0.keep(forms, of: key) }
        }
        return forms
    }
}
