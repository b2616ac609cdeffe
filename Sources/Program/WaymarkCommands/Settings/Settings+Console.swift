import DeepLinkCore

extension Settings {
    /// Reads the additional hosts of the console.
    ///
    /// - Throws: ``CommandError`` for a text that is not a host, with or without a port.
    static func consoleHosts(_ reader: SettingReader) throws(CommandError) -> [String] {
        let hosts = SettingList.words(try reader.text(.consoleHosts))
        for host in hosts {
            guard let link = try? DeepLink("https://\(host)/"), !link.host.isEmpty,
                !host.utf8.contains(where: {
                    $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#")
                })
            else {
                throw CommandError(
                    .usage,
                    message:
                        "\(Setting.consoleHosts.rawValue) has `\(host)`, which is not a host; write one as the catalog does, such as "
                        + "links.example.com, by \(reader.waysToSet(.consoleHosts))."
                )
            }
        }
        return hosts
    }
}
