import Foundation
import Testing
import WaymarkRuntime
import WaymarkTestSupport

/// Tests of the reader of arrivals and of their record, by the vectors that all runtimes share.
@Suite struct ArrivalTests {
    /// The file of vectors; `Tests/ClientCode` runs them in TypeScript and Kotlin.
    private struct Vectors: Decodable {
        let hosts: [String]
        let now: Int64
        let findings: [Finding]
        let records: [Record]
    }

    private struct Finding: Decodable {
        let note: String
        let kind: String
        let text: String
        let clickedAt: Int64?
        let installedAt: Int64?
        let want: Want
    }

    private enum Want: Decodable {
        case link(String)
        case word(String)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let word = try? container.decode(String.self) {
                self = .word(word)
            } else {
                self = .link(try container.decode([String: String].self)["link"] ?? "")
            }
        }
    }

    private struct Record: Decodable {
        let note: String
        let steps: [[Step]]
        let text: String
    }

    private enum Step: Decodable, Equatable {
        case word(String)
        case number(Int64)
        case truth(Bool)
        case none

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                self = .none
            } else if let truth = try? container.decode(Bool.self) {
                self = .truth(truth)
            } else if let number = try? container.decode(Int64.self) {
                self = .number(number)
            } else {
                self = .word(try container.decode(String.self))
            }
        }

        var number: Int64 { if case .number(let number) = self { number } else { 0 } }

        var word: String? { if case .word(let word) = self { word } else { nil } }
    }

    private static func vectors() throws -> Vectors {
        try JSONDecoder().decode(Vectors.self, from: Data(try Checkout.bytes("Tests/ClientCode/arrivals.json")))
    }

    private func word(_ finding: ArrivalFinding) -> String {
        switch finding {
        case .link(let link): "link \(link)"
        case .absent: "absent"
        case .malformed: "malformed"
        case .foreign: "foreign"
        case .expired: "expired"
        }
    }

    @Test func `every text gives the link, or the reason why there is none`() throws {
        let vectors = try Self.vectors()
        let reader = ArrivalReader(hosts: vectors.hosts)
        #expect(vectors.findings.count >= 60)
        for vector in vectors.findings {
            let finding =
                switch vector.kind {
                case "referrer":
                    reader.find(
                        inReferrer: vector.text,
                        clickedAt: vector.clickedAt ?? 0,
                        installedAt: vector.installedAt ?? 0,
                        now: vectors.now
                    )
                case "pasted": reader.find(inPasted: vector.text)
                default: reader.find(inBanner: vector.text)
                }
            switch vector.want {
            case .link(let link): #expect(finding == .link(link), "\(vector.note)")
            case .word(let want): #expect(word(finding) == want, "\(vector.note)")
            }
        }
    }

    @Test func `every sequence leaves the record as all runtimes do`() throws {
        for vector in try Self.vectors().records {
            var record = ArrivalRecord()
            for step in vector.steps {
                switch step[0].word {
                case "start":
                    let isDue = record.start(installedAt: step[1].number, updatedAt: step[2].number)
                    #expect(Step.truth(isDue) == step[3], "\(vector.note)")
                case "receive":
                    let finding = step[1].word.map { ArrivalFinding.link($0) } ?? .absent
                    #expect(record.receive(finding, clickedAt: step[2].number) == step[3].word, "\(vector.note)")
                case "handedOver": record.handedOver()
                case "openedByLink": record.openedByLink()
                case "signedOut": record.signedOut()
                case "store": record = ArrivalRecord(text: record.text)
                default: record = ArrivalRecord(text: step[1].word ?? "")
                }
            }
            #expect(record.text == vector.text, "\(vector.note)")
            #expect(ArrivalRecord(text: record.text).text == record.text, "\(vector.note)")
        }
    }

    @Test func `the laws hold for any sequence of starts, updates, backups, sign-outs and crashes`() {
        var generator = SeededGenerator(seed: 37)
        for _ in 0..<Effort.part(of: 20_000) {
            var life = ArrivalLife(&generator)
            life.run()
        }
    }
}

/// A life of an app on its devices, with a model that knows what each person should see.
private struct ArrivalLife {
    private var generator: SeededGenerator
    private var record = ArrivalRecord()

    /// The record as it is stored, and as a backup has it.
    private var stored = ""
    private var backup = ""

    /// The last click that each of them has to know.
    private var storedClick: Int64 = 0
    private var backupClick: Int64 = 0

    private var now: Int64 = 1_000
    private var installedAt: Int64 = 0
    private var updatedAt: Int64 = 0

    /// The click that led to the installation, and the users that its link was found for and handed to.
    private var clickedAt: Int64 = 0
    private var user = 0
    private var foundFor: Int?

    /// The clicks whose links were handed over, for each the number of times.
    private var handedOver: [Int64: Int] = [:]
    private var openedItself = false

    init(_ generator: inout SeededGenerator) {
        self.generator = generator
        generator = SeededGenerator(seed: UInt64.random(in: 0...UInt64.max, using: &generator))
    }

    mutating func run() {
        install(restores: false)
        for _ in 0..<20 {
            now += Int64.random(in: 1...1_000, using: &generator)
            switch Int.random(in: 0..<9, using: &generator) {
            case 0: install(restores: Bool.random(using: &generator))
            case 1: updatedAt = now
            case 2: (backup, backupClick) = (stored, storedClick)
            case 3: signOut()
            case 4: openItself()
            default: start()
            }
        }
        // Law 1: a click's link is handed over once at most, whatever was restored, unless the app died on the way.
        #expect(handedOver.values.allSatisfy { $0 <= 1 })
    }

    private mutating func install(restores: Bool) {
        // The same click may lead to two installations: Play keeps its referrer for 90 days.
        if clickedAt == 0 || Bool.random(using: &generator) { clickedAt = now - 1 }
        (installedAt, updatedAt) = (now, now)
        if restores {
            (stored, storedClick) = (backup, backupClick)
        } else if Bool.random(using: &generator) {
            (stored, storedClick) = ("", 0)
        }
        // A record that was lost, or is older than the last click, can't know it.
        if storedClick != clickedAt { handedOver[clickedAt] = nil }
        (foundFor, openedItself) = (nil, false)
    }

    private mutating func start() {
        record = ArrivalRecord(text: stored)
        let isDue = record.start(installedAt: installedAt, updatedAt: updatedAt)
        stored = record.text
        guard isDue else {
            // Law 3: only what was read, or an update, ends the readings.
            return
        }
        // Law 5: a link that opened the app itself ends them, too.
        #expect(!openedItself)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: break  // The reading failed.
        case 1:
            // The app dies between the reading and the handing over.
            _ = record.receive(.link("https://links.example.com/"), clickedAt: clickedAt)
            stored = record.text
            if record.link != nil { foundFor = user }
        default:
            // Law 6: a link that was found for one user is not handed to another.
            if let foundFor { #expect(foundFor == user) }
            guard let link = record.receive(.link("https://links.example.com/"), clickedAt: clickedAt) else {
                // Law 2 and the memory of clicks: none is given for a click that was used.
                #expect(handedOver[clickedAt] != nil || record.clickedAt == clickedAt)
                stored = record.text
                return
            }
            #expect(!link.isEmpty)
            handedOver[clickedAt, default: 0] += 1
            storedClick = clickedAt
            record.handedOver()
            stored = record.text
        }
    }

    private mutating func signOut() {
        record = ArrivalRecord(text: stored)
        record.signedOut()
        stored = record.text
        #expect(record.link == nil)
        user += 1
        foundFor = nil
    }

    private mutating func openItself() {
        record = ArrivalRecord(text: stored)
        _ = record.start(installedAt: installedAt, updatedAt: updatedAt)
        record.openedByLink()
        stored = record.text
        openedItself = true
        let isDue = record.start(installedAt: installedAt, updatedAt: updatedAt)
        #expect(!isDue)
    }
}
