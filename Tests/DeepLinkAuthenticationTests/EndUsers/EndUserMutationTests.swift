import DeepLinkCore
import DeepLinkStorage
import ServerTestSupport
import Testing
import WaymarkTestSupport

@testable import DeepLinkAuthentication

@Suite struct EndUserMutationTests {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/ \n".utf8)

    @Test(arguments: 0..<4)
    func `of 2,500 changes to a token none is accepted`(_ index: Int) async throws {
        let (key, verifier) = (try await TestIssuer.shared.value.all[index], try await TestIssuer.verifier())
        let good = Array(try key.token().utf8)
        var generator = SeededGenerator(seed: UInt64(index))
        var changeCount = 0
        var refusals: Set<EndUserTokenError> = []
        while changeCount < 2500 {
            var bytes = good
            for _ in 0...Int.random(in: 0..<3, using: &generator) {
                let place = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<6, using: &generator) {
                case 0: bytes[place] = generator.pick(Self.alphabet)
                case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<7, using: &generator)
                case 2: bytes.remove(at: place)
                case 3: bytes.insert(generator.pick(Self.alphabet), at: place)
                case 4: bytes.swapAt(place, Int.random(in: 0..<bytes.count, using: &generator))
                default: bytes.removeSubrange(place..<min(bytes.count, place + 4))
                }
            }
            guard bytes != good else { continue }
            changeCount += 1
            let token = String(decoding: bytes, as: UTF8.self)
            do throws(EndUserTokenError) {
                let user = try await verifier.user(of: token, at: TestIssuer.now)
                Issue.record("\(token) is \(user.id.text)'s")
            } catch {
                refusals.insert(error)
            }
        }
        #expect(refusals.isSuperset(of: [.malformed, .signature]), "\(refusals)")
        #expect(try await verifier.user(of: String(decoding: good, as: UTF8.self), at: TestIssuer.now).id.text == "ada")
    }
}
