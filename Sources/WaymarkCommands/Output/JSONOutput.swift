import DeepLinkFormats

/// The printing of bodies as JSON, so that a command answers what the server would.
enum JSONOutput {
    /// Prints one body as one line.
    static func print(_ body: some WireBody) {
        Swift.print(String(decoding: body.json, as: UTF8.self))
    }
}
