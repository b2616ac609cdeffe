import DeepLinkCore
import DeepLinkStorage
import Foundation
import Hummingbird
import ServerTestSupport
import Testing
import WaymarkTestSupport

@testable import DeepLinkHTTP
@testable import HTTPServer

/// Sends the same requests to be answered at once and in a task, and compares the bytes of the answers.
@Suite struct AtOnceComparisonTests {
    private static let generatedCount = Effort.part(of: 100_000)

    /// The number of requests that are sent ahead.
    private static let batchSize = 10

    /// A store with a user of each level, named for it.
    private func store() async throws -> InMemoryUserStateStore {
        let store = InMemoryUserStateStore()
        for level in AuthorizationLevel.allCases {
            let write = UserStateWrite(
                id: try #require(UserID(level.name)),
                level: try #require(LevelAssignment(level: level)),
                time: TestServer.now,
                author: "test"
            )
            _ = try await store.save(write)
        }
        return store
    }

    /// Runs a server, and compares what it answers on both ways; returns how many requests were answered at once at
    /// least.
    private func compare(
        _ circumstance: TestServer.Circumstance = .usual,
        catalog: RouteCatalog? = nil,
        isRemote: Bool = false,
        batchCount: Int,
        _ batch: @escaping @Sendable (Int) -> [Question]
    ) async throws -> Int {
        let clock = LoopClock()
        let held = try await store()
        let store: any UserStateStore = isRemote ? RemoteStore(held) : held
        let service = try TestServer.service(
            circumstance,
            catalog: catalog.map(LiveCatalog.init),
            store: circumstance == .brokenStore ? nil : store
        ) { clock.now() }
        return try await TestServer.application(service)
            .whileServing { port in
                let (differences, readCount) = try await RawConnection.offPool {
                    let twins = try TwinConnections(port: port, clock, asAdmin: circumstance == .tokens)
                    let differences = try (0..<batchCount).flatMap { try twins.differences(batch($0)) }
                    return (differences, twins.readCount)
                }
                for difference in differences.prefix(10) { Issue.record("\(difference)") }
                // It is read for the date, and once more if a user is known.
                return readCount / 2
            }
    }

    private func compare(_ links: [String], users: [String], catalog: RouteCatalog? = nil) async throws {
        let questions = links.flatMap { link in
            users.map { Question("link=\(QuestionGenerator.form(Array(link.utf8)))&user=\($0)") }
        }
        let batchCount = (questions.count + Self.batchSize - 1) / Self.batchSize
        let count = try await compare(catalog: catalog, batchCount: batchCount) { index in
            Array(questions[(index * Self.batchSize)...].prefix(Self.batchSize))
        }
        #expect(count * 4 >= questions.count, "Hardly anything was answered at once: \(count) of \(questions.count).")
    }

    private static func inputs(_ file: String, _ key: String) throws -> [String] {
        let json = try JSONSerialization.jsonObject(
            with: Data(try Checkout.bytes("Tests/DeepLinkCoreTests/Vectors/\(file)"))
        )
        return ((json as? [String: Any])?["cases"] as? [[String: Any]] ?? []).compactMap { $0[key] as? String }
    }

    @Test func `every link of the syntax vectors has the same answer`() async throws {
        let links = try Self.inputs("link-syntax.json", "input")
        #expect(links.count > 50)
        try await compare(links, users: ["premiumUser"])
    }

    @Test func `every link of the sample app has the same answer at every level`() async throws {
        try await compare(SampleApp.cases.map(\.link), users: AuthorizationLevel.allCases.map(\.name))
    }

    @Test func `every link of SUINavigation has the same answer`() async throws {
        let links = try Self.inputs("suinavigation.json", "link").map { "suintest://" + $0 }
        #expect(links.count > 5)
        try await compare(links, users: ["premiumUser"], catalog: TestServer.Circumstance.suinavigation.catalog())
    }

    @Test(arguments: Set(GoldenCase.all.map(\.file)).sorted())
    func `every golden case has the same answer`(_ file: String) async throws {
        let cases = GoldenCase.all.filter { $0.file == file }
        try await compare(
            cases.map(\.link),
            users: AuthorizationLevel.allCases.map(\.name),
            catalog: try #require(cases.first).catalog
        )
    }

    @Test(arguments: 0..<4)
    func `generated requests have the same answers`(_ seed: Int) async throws {
        let batchCount = Self.generatedCount / 4 / Self.batchSize
        let count = try await compare(batchCount: batchCount) { Self.generated(seed: seed * 1_000_000 + $0) }
        #expect(count * 5 >= batchCount * Self.batchSize, "Hardly anything was answered at once: \(count).")
    }

    @Test func `requests whose level is awaited have the same answers`() async throws {
        let batchCount = Self.generatedCount / 8 / Self.batchSize
        let count = try await compare(isRemote: true, batchCount: batchCount) { Self.generated(seed: 8_000_000 + $0) }
        #expect(count * 5 >= batchCount * Self.batchSize, "Hardly anything was answered at once: \(count).")
    }

    @Test(arguments: [TestServer.Circumstance.tokens, .overloaded, .brokenStore, .strictHosts, .prefixed, .twoSheets])
    func `whatever the circumstances, the answers are the same`(_ circumstance: TestServer.Circumstance) async throws {
        _ = try await compare(circumstance, batchCount: 10) { Self.generated(seed: 7_000_000 + $0) }
    }

    @Test func `a client that sends ahead and reads late is answered in order, and fills no memory`() async throws {
        let load = ServerLoad(maximumWork: 1024)
        let service = try TestServer.service(load: load)
        try await TestServer.application(service)
            .whileServing { port in
                let connection = try RawConnection(port: port, receiveBufferByteCount: 4096)
                let numbers = 0..<20_000
                let requests = numbers.flatMap { Question("link=navigation:/nowhere/\($0)").bytes() }
                let sender = Task { try await RawConnection.offPool { try connection.send(requests) } }
                while load.openRequestCount == 0 { try await Task.sleep(for: .milliseconds(10)) }
                try await Task.sleep(for: .seconds(1))
                // The buffers of the server and of the system hold only a part of it all.
                #expect(load.openRequestCount < numbers.count / 4)
                let answered = try await RawConnection.offPool {
                    var answered: [Int] = []
                    var received: [UInt8] = []
                    while answered.count < numbers.count {
                        received += try connection.receiveSome()
                        var rest = received[...]
                        while let answer = ReceivedResponse(&rest, isHead: false) {
                            let end = answer.description.components(separatedBy: #""unmatched":["nowhere",""#).last
                            answered.append(Int(end?.prefix { $0.isNumber } ?? "") ?? -1)
                        }
                        received = Array(rest)
                    }
                    return answered
                }
                try await sender.value
                #expect(answered == Array(numbers))
                while load.openRequestCount != 0 { try await Task.sleep(for: .milliseconds(10)) }
            }
    }

    private static func generated(seed: Int) -> [Question] {
        var generator = QuestionGenerator(seed: UInt64(seed))
        return (0..<batchSize).map { _ in generator.next() }
    }
}
