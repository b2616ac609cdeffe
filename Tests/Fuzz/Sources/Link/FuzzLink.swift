@testable import DeepLinkCore

/// Parses any bytes as a link, and resolves it in every catalog of the checkout.
///
/// The input is one line, or two: the link, and the link of what the client shows.
func fuzzLink(_ input: FuzzInput) {
    let (link, from) = input.twoLines
    let isLink = checkSyntax(link)
    // Without a scheme it is a reference, if anything, and those only continue from something.
    guard isLink || from != nil else { return }
    for catalog in Catalogs.all { LinkLaws.check(link, from: from, in: catalog) }
}

/// Checks what the parser says about bytes, and returns whether they are a link.
private func checkSyntax(_ bytes: [UInt8]) -> Bool {
    let text = String(decoding: bytes, as: UTF8.self)
    let reference = parse { () throws(LinkSyntaxError) in try DeepLink(reference: bytes) }
    let link = parse { () throws(LinkSyntaxError) in try DeepLink(bytes: bytes) }
    for case .failure(let error) in [link, reference] {
        Law.require((0...bytes.count).contains(error.offset), "`\(text)`: the offset \(error.offset) is outside")
    }
    guard case .success(let link) = link else { return false }
    Law.require(link.text.utf8.elementsEqual(bytes), "`\(text)` is not UTF-8, and yet a link")
    Law.require(link.segments.count <= DeepLink.maximumSegmentCount, "`\(text)` has too many segments")
    Law.require(link.queryItems.count <= DeepLink.maximumPairCount, "`\(text)` has too many pairs")
    Law.require(!link.isRelative && !link.scheme.isEmpty, "`\(text)` has no scheme")
    for part in [link.host, link.fragment ?? ""] + link.segments + link.queryItems.map(\.name) {
        let control = part.unicodeScalars.first { $0.properties.generalCategory == .control }
        Law.require(control == nil, "`\(text)` has a control character in `\(part)`")
    }
    for value in link.queryItems.compactMap(\.value) {
        let control = value.unicodeScalars.first {
            $0.properties.generalCategory == .control && !"\t\n\r".unicodeScalars.contains($0)
        }
        Law.require(control == nil, "`\(text)` has a control character in the value `\(value)`")
    }
    guard case .success(let same) = reference else {
        Law.require(false, "`\(text)` is a link, and no reference")
        return false
    }
    Law.require(same == link && same.segments == link.segments, "`\(text)` is another link as a reference")
    return true
}

private func parse(_ body: () throws(LinkSyntaxError) -> DeepLink) -> Result<DeepLink, LinkSyntaxError> {
    do throws(LinkSyntaxError) {
        return .success(try body())
    } catch {
        return .failure(error)
    }
}
