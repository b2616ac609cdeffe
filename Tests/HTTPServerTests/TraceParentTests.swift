import Testing

@testable import HTTPServer

@Suite struct TraceParentTests {
    private static let sound = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

    @Test(arguments: [sound, "cc" + sound.dropFirst(2), "cc" + sound.dropFirst(2) + "-what-comes"])
    func `a value of the standard is sound`(_ value: String) {
        #expect(TraceParent.isSound(value))
    }

    @Test(
        arguments: [
            "", "00", sound.uppercased(), sound + "-more", String(sound.dropLast()), "ff" + sound.dropFirst(2),
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01", sound.replacing("4", with: "é"),
            "cc" + sound.dropFirst(2) + "-" + String(repeating: "a", count: 600),
        ]
    )
    func `anything else is none`(_ value: String) {
        #expect(!TraceParent.isSound(value))
    }

    @Test func `it is read only where it is wanted, and only once`() {
        var fields = RequestFields(wanted: .traceParent)
        fields.take("TraceParent", value: Self.sound, own: OwnFieldNames([]))
        #expect(fields.traceParent == Self.sound)
        fields.take("traceparent", value: Self.sound, own: OwnFieldNames([]))
        #expect(fields.traceParent == nil)
        var others = RequestFields()
        others.take("traceparent", value: Self.sound, own: OwnFieldNames([]))
        #expect(others.traceParent == nil)
    }
}
