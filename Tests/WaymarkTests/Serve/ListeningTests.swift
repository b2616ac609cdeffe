import Foundation
import NIOCore
import Testing
import WaymarkTestSupport

@testable import WaymarkCommands
@testable import WaymarkServer

/// Tests of the messages if a server can't listen.
@Suite struct ListeningTests {
    private func message(_ error: any Error, host: String = "192.0.2.1", port: String = "80") throws -> String? {
        let settings = try Settings(flags: [.host: host, .port: port], configFile: nil, environment: [:])
        let explained = ListeningFailure.explained(error, settings: settings) as? CommandError
        #expect(explained?.code == .unavailable)
        return explained?.message
    }

    @Test(arguments: [
        (EADDRINUSE, "port 80 on 192.0.2.1 is taken by another server"),
        (EACCES, "port 80 needs more rights than this process has. Choose one above 1023 by --port"),
        (EADDRNOTAVAIL, "cannot listen on 192.0.2.1:80: 192.0.2.1 is not an address of this machine."),
        (EAFNOSUPPORT, "this machine has no addresses of that kind"), (ENOBUFS, "No buffer space available"),
    ])
    func `the system's reasons are in words, with the setting`(_ code: Int32, _ wanted: String) throws {
        let said = try message(IOError(errnoCode: code, reason: "bind(descriptor:ptr:bytes:)"))
        #expect(said?.contains(wanted) == true, "\(said ?? "")")
        #expect(said?.contains("bind(") == false)
        #expect(said?.contains("in the settings file") == true)
    }

    @Test(arguments: [
        ("192.0.2.1", "192.0.2.1 is not an address of this machine"),
        ("nowhere.invalid", "no address is known for the name"),
    ])
    func `an address that is not here and a name that nobody knows are told apart`(
        _ host: String,
        _ wanted: String
    ) async throws {
        try await TemporaryFolder.with { folder in
            let outcome = try await Waymark.run([
                "serve", "--port", "0", "--host", host, "--insecure-no-auth", "--database", folder + "/states.sqlite",
            ])
            #expect(outcome.code == 69)
            #expect(outcome.errors.contains(wanted), "\(outcome.errors)")
            #expect(!outcome.errors.contains("bind(") && !outcome.errors.contains("SocketAddressError"))
        }
    }
}
