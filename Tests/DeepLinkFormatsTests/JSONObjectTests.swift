import DeepLinkCore
import Testing

@testable import DeepLinkFormats

/// Checks the members of a JSON object: their order, their names, and that many are found as few are.
@Suite struct JSONObjectTests {
    private static func object(_ count: Int) -> JSONObject {
        var object = JSONObject()
        for number in 0..<count { _ = object.insert(.integer(Int64(number)), for: ByteText("k\(number)")) }
        return object
    }

    @Test(arguments: [0, 1, 8, 9, 10, 100])
    func `members keep their order, and each is found`(_ count: Int) {
        let object = Self.object(count)
        #expect(object.count == count)
        #expect(object.names.map(\.string) == (0..<count).map { "k\($0)" })
        for number in 0..<count { #expect(object[ByteText("k\(number)")] == .integer(Int64(number))) }
        #expect(object[ByteText("k\(count)")] == nil)
    }

    @Test(arguments: [1, 8, 9, 10, 100])
    func `a name is added once, and set again in its place`(_ count: Int) {
        var object = Self.object(count)
        let isAdded = object.insert(.null, for: "k0")
        #expect(!isAdded)
        #expect(object["k0"] == .integer(0))
        object.set(.null, for: "k0")
        object.set(.bool(true), for: "new")
        #expect(object.names.map(\.string) == (0..<count).map { "k\($0)" } + ["new"])
        #expect(object["k0"] == .null && object["new"] == .bool(true))
    }

    @Test(arguments: [1, 8, 9, 10, 100])
    func `a member that is removed is gone, and the others are found`(_ count: Int) {
        for removed in [0, count / 2, count - 1] {
            var object = Self.object(count)
            let values = [object.remove(ByteText("k\(removed)")), object.remove(ByteText("k\(removed)"))]
            #expect(values == [.integer(Int64(removed)), nil])
            for number in 0..<count {
                #expect(object[ByteText("k\(number)")] == (number == removed ? nil : .integer(Int64(number))))
            }
        }
    }

    @Test func `objects are equal in any order, and texts by their bytes`() {
        let one: JSONObject = ["a": .integer(1), "b": .string("\u{E9}")]
        #expect(one == ["b": .string("\u{E9}"), "a": .number(1)])
        #expect(one != ["a": .integer(1), "b": .string("e\u{301}")])
        #expect(one != ["a": .integer(1)])
        #expect(one != ["a": .integer(1), "b": .string("\u{E9}"), "c": .null])
    }
}
