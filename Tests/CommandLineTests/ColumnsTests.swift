import TestSupport
import Testing

@testable import bluefleet

@Suite struct ColumnsTests {
    @Test(arguments: [
        ("Climate", 7), ("Grüße", 5), ("Gru\u{308}ße", 5), ("温度計", 6), ("온도", 4), ("\u{110B}\u{1169}\u{11AB}", 2),
        ("ｔ", 2), ("ﾄ", 1), ("🌡", 1), ("🌱", 2), ("🇨🇭", 2), ("°C", 2), ("“a”…", 4), ("", 0),
    ])
    func `a text has the width that terminals give it`(text: String, columns: Int) {
        #expect(text.columns == columns)
    }

    @Test func `texts are padded and cut by columns`() {
        #expect("温度".padded(to: 6) == "温度  ")
        #expect("温度計".cut(to: 6) == "温度計")
        #expect("温度計".cut(to: 5) == "温度…")
        #expect("温度計".cut(to: 4) == "温…")
        #expect("Climate".cut(to: 4) == "Cli…")
    }

    @Test func `a word that is wider than a line is broken`() {
        #expect("0123456789".pieces(of: 4) == ["0123", "4567", "89"])
        #expect("温度計".pieces(of: 5) == ["温度", "計"])
        #expect("温度".pieces(of: 1) == ["温度"])
        #expect("".pieces(of: 4) == [""])
        let word = String(repeating: "計", count: 100)
        #expect(Paragraph(breaking: "a \(word) b", indent: 6).lines(indent: 6).allSatisfy { $0.columns < 80 })
    }
}
