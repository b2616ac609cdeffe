import DeepLinkStorage
import Testing

/// Tests of how waiting changes are cut into transactions.
@Suite struct WriteBatchTests {
    @Test(arguments: [
        ([], 0), ([1], 1), ([5000], 1), ([5000, 1], 1), ([1, 5000], 1), ([1000, 24, 1], 2), ([1024, 1], 1),
        (Array(repeating: 1, count: 2000), 1024), ([0, 1024, 1], 1), ([0, 5000], 1),
    ])
    func `as many are taken as fit, and one however large it is`(_ sizes: [Int], _ count: Int) {
        #expect(WriteBatch.first(of: sizes, size: \.self).count == count)
    }
}
