extension QRCode {
    /// The code as a picture (SVG 2), with its quiet zone: black on white, however the page around it looks.
    package var picture: [UInt8] {
        let side = String(size + 2 * Self.quietZone)
        var picture = Array("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(side) \(side)\"".utf8)
        picture += " shape-rendering=\"crispEdges\"><rect width=\"100%\" height=\"100%\" fill=\"#fff\"/><path d=\"".utf8
        picture += path
        picture += "\" stroke=\"#000\"/></svg>\n".utf8
        return picture
    }
}
