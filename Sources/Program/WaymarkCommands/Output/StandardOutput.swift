import DeepLinkFormats

/// Prints one line of output for people, in which no control character reaches the terminal.
///
/// In this module it replaces the standard library's function, so that no command prints raw text by mistake.
func print(_ line: String) { Swift.print(TerminalText.line(line)) }

/// Prints output of several lines, in which no control character reaches the terminal.
func print(document text: String, terminator: String = "\n") {
    Swift.print(TerminalText.document(text), terminator: terminator)
}
