import DeepLinkFormats

/// The output of bodies as JSON, identical to the server's.
enum JSONOutput {
    /// Prints one body as one line.
    static func print(_ body: some WireBody) {
        Swift.print(TerminalText.json(String(decoding: body.json, as: UTF8.self)))
    }
}
