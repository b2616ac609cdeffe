import DeepLinkCore
import DeepLinkFormats
import DeepLinkWeb

/// The keys of tests without signed links.
struct NoKeys: SignatureVerifier {
    func verify(_ demand: SignatureDemand, at time: Timestamp?) throws(SignatureRefusal) { throw .missing(demand) }
}

extension LinkPages {
    /// Returns the HTML for a visitor of a link, or an arrow and the address that it is redirected to.
    func text(
        _ link: String,
        target: LinkTarget? = nil,
        for visitor: LinkVisitor = LinkVisitor(isBrowser: false)
    ) -> String {
        let result = answer(
            link: Array(link.utf8),
            target: target,
            to: visitor,
            keys: NoKeys(),
            at: Timestamp(millisecondsSinceEpoch: 0)
        )
        return switch result.answer {
        case .page(let page): String(decoding: page.bytes, as: UTF8.self)
        case .redirect(let address): "→ \(address)"
        }
    }
}
