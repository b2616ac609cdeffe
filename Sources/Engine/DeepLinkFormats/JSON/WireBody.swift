package import DeepLinkCore

/// A body that the API sends: it knows its keys and their order.
package protocol WireBody {
    /// Writes the body as one JSON value.
    func write(to writer: inout JSONWriter)
}

extension WireBody {
    /// The body's JSON in UTF-8.
    package var json: [UInt8] {
        var writer = JSONWriter()
        write(to: &writer)
        return writer.bytes
    }
}
