import DeepLinkHTTP
import Logging

extension Server {
    /// Returns the service of the certificate, read and in force; `nil` for a server in plain text.
    ///
    /// - Throws: ``CommandError`` of code 65 or 69 if the certificate cannot be used.
    func certificateWatch() throws(CommandError) -> CertificateWatch? {
        guard let tls = settings.tls else { return nil }
        return try CertificateWatch(CertificateFiles(settings: tls), logger: logger)
    }

    /// Returns the server that redirects plain HTTP; `nil` for none.
    ///
    /// It has a tenth of the connections: each ends with its first answer.
    func redirectServer(_ parts: ServerParts) -> RedirectServer? {
        guard let port = settings.tls?.redirectPort else { return nil }
        return RedirectServer(
            to: socket?.port ?? settings.port,
            load: parts.load,
            host: host,
            port: port,
            maximumConnections: max(1, parts.maximumConnections / 10),
            now: Clock.now,
            logger: logger
        ) { [logger, host] port in
            let isIPv6 = host.utf8.contains(UInt8(ascii: ":"))
            logger.info("Redirecting from http://\(isIPv6 ? "[\(host)]" : host):\(port)")
        }
    }
}
