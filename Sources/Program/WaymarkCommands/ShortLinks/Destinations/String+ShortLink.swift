extension String {
    /// The scheme of a link, and the place after `://`, at which its host begins; `nil` for another text.
    var authorityStart: (scheme: Substring, start: Index)? {
        guard let colon = utf8.firstIndex(of: UInt8(ascii: ":")), utf8[colon...].starts(with: "://".utf8) else {
            return nil
        }
        return (self[..<colon], utf8.index(colon, offsetBy: 3))
    }

    /// The code of a short link, which is its last segment; a code by itself is unchanged.
    var codeOfShortLink: Substring {
        guard let start = authorityStart?.start else { return self[...] }
        let path = utf8[start...].prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        return path.split(separator: UInt8(ascii: "/")).dropFirst().last.map(Substring.init) ?? ""
    }
}
