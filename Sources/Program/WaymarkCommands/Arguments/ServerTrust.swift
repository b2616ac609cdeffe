import NIOCore
import NIOSSL

/// The certificates of servers that a command accepts.
enum ServerTrust {
    /// Those that the authorities of this machine vouch for, for the name of the server.
    case system

    /// Those that the authorities in a file of PEM vouch for, for the name of the server.
    case authorities(file: String)

    /// The certificate in a file of PEM alone, under any name: that of the server's own settings.
    case own(file: String)

    /// Every one: for questions without secrets to a server on this machine.
    case any

    /// Adds TLS to a connection with a server, before all other handlers.
    ///
    /// - Throws: ``CommandError`` if the file cannot be used; SwiftNIO's error if the connection has ended.
    func add(to pipeline: ChannelPipeline.SynchronousOperations, host: String) throws {
        var configuration = TLSConfiguration.makeClientConfiguration()
        // RFC 9325 section 3.1.1: nothing older.
        configuration.minimumTLSVersion = .tlsv12
        // A name is sent to the server, and found in its certificate; an address is only looked for there.
        let name = (try? SocketAddress(ipAddress: host, port: 0)) == nil ? host : nil
        switch self {
        case .system: break
        case .authorities(let file): configuration.trustRoots = .certificates(try Self.certificates(in: file))
        case .any: configuration.certificateVerification = .none
        case .own(let file):
            let expected = try Self.certificates(in: file).first
            let context = try NIOSSLContext(configuration: configuration)
            let handler = try NIOSSLClientHandler(context: context, serverHostname: name) { shown, promise in
                promise.succeed(shown.first == expected ? .certificateVerified : .failed)
            }
            return try pipeline.addHandler(handler)
        }
        let context = try NIOSSLContext(configuration: configuration)
        try pipeline.addHandler(NIOSSLClientHandler(context: context, serverHostname: name))
    }

    /// Reads the certificates of a file.
    ///
    /// - Throws: ``CommandError`` of code 69 if it cannot be read, of code 65 if it holds none.
    private static func certificates(in file: String) throws(CommandError) -> [NIOSSLCertificate] {
        let bytes = try InputFile.read(file)
        guard let certificates = try? NIOSSLCertificate.fromPEMBytes(bytes), !certificates.isEmpty else {
            throw CommandError(.badData, message: "`\(file)` holds no certificate in PEM.")
        }
        return certificates
    }
}
