import DeepLinkCore
import Synchronization

/// The forms of links that were asked for lately: one link is mostly followed often, and they cost more than the rest of a page.
final class RecentLinks: Sendable {
    /// Two halves: what is asked for in the older moves to the newer, and what is left in it falls away when that is full.
    private struct Halves {
        var newer: [ByteText: LinkForms] = [:]
        var older: [ByteText: LinkForms] = [:]

        mutating func keep(_ forms: LinkForms, of link: ByteText) {
            if newer.count >= maximumCount { (older, newer) = (newer, [:]) }
            newer[link] = forms
        }
    }

    /// The most links of a half: with some 2 KiB each, all together stay below 10 MiB.
    private static let maximumCount = 2_048

    /// The largest code that is kept, in bytes: that of a link of some 150 bytes.
    private static let maximumByteCount = 4_096

    private let halves = Mutex(Halves())

    /// Returns the forms of a link, and makes them where nobody asked for them lately.
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
