import Foundation
import Glibc
import Testing

@testable import WaymarkCommands
@testable import WaymarkServer

/// Tests which sockets a server takes over.
@Suite struct InheritedSocketTests {
    /// Lends a new socket of TCP.
    private func withSocket(_ body: (Int32) throws -> Void) throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        try body(descriptor)
    }

    @Test func `a socket that listens says where`() throws {
        try withSocket { descriptor in
            #expect(listen(descriptor, 1) == 0)
            let handed = try InheritedSocket(descriptor: descriptor)
            // One that is not bound listens on every address: who takes it for loopback would be open to the network.
            #expect(handed.host == "0.0.0.0")
            #expect(handed.port > 0)
            #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0)
        }
    }

    @Test func `a socket that does not listen, and what is none, is refused`() throws {
        try withSocket { descriptor in
            _ = #expect(throws: CommandError.self) { try InheritedSocket(descriptor: descriptor) }
        }
        let file = open("/dev/null", O_RDONLY)
        defer { close(file) }
        #expect(throws: CommandError.self) { try InheritedSocket(descriptor: file) }
    }

    @Test(arguments: [
        [:], ["LISTEN_FDS": "1"], ["LISTEN_FDS": "1", "LISTEN_PID": "41"], ["LISTEN_PID": "42"],
        ["LISTEN_FDS": "0", "LISTEN_PID": "42"], ["LISTEN_FDS": "1", "LISTEN_PID": "x"],
    ])
    func `what was handed to another process, or to none, is not looked at`(_ environment: [String: String]) throws {
        #expect(try InheritedSocket.find(environment: environment, process: 42) == nil)
    }

    @Test(arguments: ["2", "-1", "one", ""])
    func `one socket is served`(_ count: String) {
        let error = #expect(throws: CommandError.self) {
            try InheritedSocket.find(environment: ["LISTEN_FDS": count, "LISTEN_PID": "42"], process: 42)
        }
        #expect(error?.message?.contains("LISTEN_FDS is `\(count)`") == true)
    }
}
