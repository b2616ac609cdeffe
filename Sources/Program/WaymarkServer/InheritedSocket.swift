import DeepLinkCore
import Foundation
import Glibc
import WaymarkCommands

/// The listening socket that systemd or a compatible supervisor passes to the server (sd_listen_fds(3)).
///
/// The supervisor keeps it open. While one server ends and the next one starts, connections wait in its queue, and none
/// is refused.
struct InheritedSocket: Sendable {
    /// The first passed descriptor, `SD_LISTEN_FDS_START`.
    private static let first: Int32 = 3

    let descriptor: Int32

    /// The numeric address of the socket.
    let host: String

    let port: Int

    /// Returns the socket passed to this process, or `nil` if there is none.
    ///
    /// - Throws: `CommandError` unless it is a listening TCP socket.
    static func find(
        environment: [String: String] = ProcessInfo.processInfo.environment,
        process: Int32 = getpid()
    ) throws(CommandError) -> InheritedSocket? {
        // Child processes also inherit variables that are meant for another process.
        guard environment["LISTEN_PID"].flatMap({ Int32($0) }) == process, let text = environment["LISTEN_FDS"],
            text.bytewise != "0".bytewise
        else { return nil }
        guard Int(text) == 1 else {
            throw CommandError.usage(
                "LISTEN_FDS is `\(text)`, but only one socket is served. Give the socket unit one ListenStream."
            )
        }
        return try InheritedSocket(descriptor: first)
    }

    /// Takes over a descriptor, if it is a listening socket.
    init(descriptor: Int32) throws(CommandError) {
        guard Self.option(SO_ACCEPTCONN, of: descriptor) == 1, let (host, port) = Self.address(of: descriptor) else {
            throw CommandError.usage(
                "descriptor \(descriptor) was passed in (LISTEN_FDS) but isn't a listening TCP socket. Let the "
                    + "unit of the socket say ListenStream with a port."
            )
        }
        // Child processes must not keep the port.
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        self.descriptor = descriptor
        self.host = host
        self.port = port
    }

    private static func option(_ name: Int32, of descriptor: Int32) -> Int32? {
        var value: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(descriptor, SOL_SOCKET, name, &value, &length) == 0 ? value : nil
    }

    private static func address(of descriptor: Int32) -> (host: String, port: Int)? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        var service = [CChar](repeating: 0, count: Int(NI_MAXSERV))
        let code = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address -> Int32 in
                guard getsockname(descriptor, address, &length) == 0,
                    [AF_INET, AF_INET6].contains(Int32(address.pointee.sa_family))
                else { return -1 }
                return getnameinfo(
                    address,
                    length,
                    &host,
                    socklen_t(host.count),
                    &service,
                    socklen_t(service.count),
                    NI_NUMERICHOST | NI_NUMERICSERV
                )
            }
        }
        guard code == 0, let port = Int(text(service)) else { return nil }
        return (text(host), port)
    }

    private static func text(_ characters: [CChar]) -> String {
        String(decoding: characters.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
