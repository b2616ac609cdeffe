import WaymarkTestSupport

/// A maker of questions: mostly plain ones about links good and bad, now and then with something odd about them.
struct QuestionGenerator {
    private static let users = [
        "", "&user=none", "&user=signedInUser", "&user=premiumUser", "&user=premiumUser", "&user=p%72emiumUser",
        "&user=nobody", "&user=a+b", "&user=", "&user=%FF", "&user=%00", "&user=%E2%82%AC", "&user=%e2%82%ac",
        "&user=" + String(repeating: "a", count: 257), "&user=a=b", "&user=a/b?c:d@e",
    ]

    private static let oddQueries = [
        "&mode=append", "&mode=nothing", "&partial=true", "&explain=true", "&from=navigation:/settings&mode=append",
        "&user=a&user=b", "&link=a", "&x=y", "&", "&&", "&user", "&us%65r=premiumUser", "&%", "&user=%", "&user=%4",
        "&user=%g0", "&user=a%", "#fragment", "&user=a\"b", "&user=a|b", "&user=a^b", "&user=[a]", "&user=`",
        "&user=a\\b",
        "&user=a;b", "&user=a,b'c!d$e(f)*g~h",
    ]

    private static let oddFields = [
        "Host: localhost\r\n", "Host: evil.example\r\n", "Host: localhost\r\nHost: localhost\r\n", "",
        "Host: localhost\r\nAccept: text/html\r\n", "Host: localhost\r\nAccept: application/json;q=0\r\n",
        "Host: localhost\r\nWaymark-User: premiumUser\r\n", "Host: localhost\r\nWaymark-User: \r\n",
        "Host: localhost\r\nConnection: keep-alive\r\n", "Host: localhost\r\nConnection: close\r\n",
        "Host: localhost\r\nUpgrade: h2c\r\n", "Host: localhost\r\nExpect: 100-continue\r\n",
        "Host: localhost\r\nCookie: a=b; c=d\r\n", "Host: localhost\r\nX: \u{e9}\r\n", "Host: localhost\r\nX : y\r\n",
        "Host: localhost\r\nX: y\r\n z\r\n", "Host: localhost\nX: y\r\n", "Host: localhost\r\nContent-Length: 0\r\n",
        "Host: loremipsum.com\r\nAccept: application/*\r\n", "Host: localhost\r\nAuthorization: Bearer x\r\n",
        "Host: localhost\r\nX: \(String(repeating: "a", count: 1100))\r\n", "Host: localhost\r\nAccept: */* \r\n",
    ]

    /// Fields of clients that send the same ones again and again.
    private static let repeatedFields = [
        Question.usualFields, Question.usualFields, "Host: localhost\r\n",
        "Host: loremipsum.com\r\nUser-Agent: test\r\nAccept: application/*\r\nConnection: keep-alive\r\n",
        "host:localhost\r\nwaymark-user: premiumUser\r\n", "Host: localhost\r\nAccept: text/html\r\n",
        "Host: localhost\r\nAuthorization: Bearer \(TestToken.resolver.text)\r\n",
        "Host: localhost\r\nAuthorization: bearer  \(TestToken.admin.text)\r\n",
        "Host: localhost\r\nAuthorization: Bearer \(TestToken.revoked.text)\r\n",
    ]

    /// Whether a byte can stand in a query by itself.
    private static let isPlain: [Bool] = {
        let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~:/?=".utf8)
        return (0...UInt8.max).map(plain.contains)
    }()

    private static let digits = [Array("0123456789ABCDEF".utf8), Array("0123456789abcdef".utf8)]

    private var links: LinkMutator
    private var generator: SeededGenerator
    private let fields: String

    init(seed: UInt64) {
        links = LinkMutator(seed: seed)
        generator = SeededGenerator(seed: seed ^ 0xABCD)
        fields = generator.pick(Self.repeatedFields)
    }

    mutating func next() -> Question {
        var query = "link=" + link() + generator.pick(Self.users)
        if generator.oneIn(4) { query = generator.pick(Self.users).dropFirst() + "&link=" + link() }
        if generator.oneIn(24) { query += generator.pick(Self.oddQueries) }
        guard generator.oneIn(40) else { return Question(query, fields: fields) }
        let question = odd(query)
        // A head that cannot be parsed is answered as if it were no HEAD.
        guard !question.isHead, generator.oneIn(3) else { return question }
        return Question(line: question.line, fields: generator.pick(Self.oddFields))
    }

    private mutating func odd(_ query: String) -> Question {
        let hidden = Question("link=navigation:/onboarding").bytes()
        let body = String(decoding: hidden, as: UTF8.self)
        let length = "Content-Length: \(hidden.count)\r\n"
        let target = "/v1/resolve?" + query
        return switch Int.random(in: 0..<10, using: &generator) {
        case 0: Question(line: "GET \(target) HTTP/1.0")
        case 1: Question(line: "HEAD \(target) HTTP/1.1")
        case 2: Question(line: "GET \(target) HTTP/1.1", fields: Question.usualFields + length, body: body)
        case 3: Question(line: "POST \(target) HTTP/1.1", fields: Question.usualFields + length, body: body)
        case 4: Question(line: "GET http://localhost\(target) HTTP/1.1")
        case 5: Question(line: "get \(target) HTTP/1.1")
        case 6: Question(line: "GET  \(target) HTTP/1.1")
        case 7: Question(line: "GET /v1/resolve/?\(query) HTTP/1.1")
        case 8: Question(line: "DELETE \(target) HTTP/1.1")
        default: Question(line: "GET \(target) HTTP/1.1")
        }
    }

    /// A link in one of the ways in which clients spell it.
    private mutating func link() -> String {
        let bytes =
            generator.oneIn(2) ? Array(generator.pick(SampleApp.cases).link.utf8) : Array(links.next().prefix(3000))
        return Self.form(bytes, generator.pick(Self.digits), escapesAll: generator.oneIn(3), generator.oneIn(2))
    }

    /// Percent-encodes bytes: all of them, or those that cannot stand in a query by themselves.
    static func form(
        _ bytes: [UInt8],
        _ digits: [UInt8] = Self.digits[0],
        escapesAll: Bool = false,
        _ writesPlus: Bool = false
    ) -> String {
        var encoded: [UInt8] = []
        encoded.reserveCapacity(bytes.count * 3)
        for byte in bytes {
            if writesPlus, byte == 0x20 {
                encoded.append(UInt8(ascii: "+"))
            } else if !escapesAll, isPlain[Int(byte)] {
                encoded.append(byte)
            } else {
                encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }
}
