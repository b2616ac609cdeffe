package import DeepLinkCore
import DeepLinkFormats

/// The fixed texts of a page in one language.
struct PageWords {
    /// The tag of the language.
    let language: String

    /// The direction of its script.
    var direction = TextDirection.leftToRight

    let openOnApple: String
    let openOnAndroid: String
    let appStore: String
    let googlePlay: String
    let continueOnWeb: String
    let scan: String
    let inAppBrowser: String
    let unknownTitle: String
    let unknownText: String
    let openTitle: String

    /// The heading of the links for other devices than the visitor's.
    let otherDevices: String

    /// The hint to return to Safari's banner after the installation.
    let comeBack: String

    /// The button that copies the link.
    let copy: String

    /// The confirmation that the link was copied.
    let copied: String

    let waitTitle: String
    let waitText: String

    /// The languages.
    ///
    /// English is first, and the default for visitors that prefer none of them.
    static let all = [english, german, french, spanish, arabic, hebrew]

    private static let languages = all.map(\.language)

    /// Returns the texts in a visitor's best language.
    static func best(for ranges: LanguageRanges) -> PageWords { all[ranges.best(of: languages) ?? 0] }

    private static let english = PageWords(
        language: "en",
        openOnApple: "Open in the app on iPhone or iPad",
        openOnAndroid: "Open in the app on Android",
        appStore: "Get the app from the App Store",
        googlePlay: "Get the app from Google Play",
        continueOnWeb: "Continue on the web",
        scan: "Scan this code with your phone to open the link there.",
        inAppBrowser: "Nothing happens? Open this page in your browser, from the menu of the app you are using.",
        unknownTitle: "This link leads nowhere",
        unknownText: "It may be misspelt, or what it led to is gone.",
        openTitle: "Open in the app",
        otherDevices: "Other devices",
        comeBack: "Just installed the app? Come back to this page in Safari and tap Open at its top.",
        copy: "Copy the link for the app",
        copied: "Copied. Open the app and paste the link there.",
        waitTitle: "One moment, please",
        waitText: "Too many requests come from your network. Try again in a few seconds."
    )

    private static let german = PageWords(
        language: "de",
        openOnApple: "Auf iPhone oder iPad in der App öffnen",
        openOnAndroid: "Auf Android in der App öffnen",
        appStore: "Die App im App Store laden",
        googlePlay: "Die App bei Google Play laden",
        continueOnWeb: "Im Web weiter",
        scan: "Scanne diesen Code mit dem Handy, um den Link dort zu öffnen.",
        inAppBrowser: "Es passiert nichts? Öffne diese Seite im Browser, über das Menü der App, die sie zeigt.",
        unknownTitle: "Dieser Link führt nirgendwohin",
        unknownText: "Vielleicht ist er falsch geschrieben, oder sein Ziel gibt es nicht mehr.",
        openTitle: "In der App öffnen",
        otherDevices: "Andere Geräte",
        comeBack: "App gerade installiert? Kehre in Safari zu dieser Seite zurück und tippe oben auf Öffnen.",
        copy: "Link für die App kopieren",
        copied: "Kopiert. Öffne die App und füge den Link dort ein.",
        waitTitle: "Einen Moment bitte",
        waitText: "Aus deinem Netz kommen zu viele Anfragen. Versuche es in ein paar Sekunden wieder."
    )

    private static let french = PageWords(
        language: "fr",
        openOnApple: "Ouvrir dans l’app sur iPhone ou iPad",
        openOnAndroid: "Ouvrir dans l’app sur Android",
        appStore: "Obtenir l’app sur l’App Store",
        googlePlay: "Obtenir l’app sur Google Play",
        continueOnWeb: "Continuer sur le web",
        scan: "Scannez ce code avec votre téléphone pour y ouvrir le lien.",
        inAppBrowser: "Rien ne se passe ? Ouvrez cette page dans votre navigateur, par le menu de l’app qui la montre.",
        unknownTitle: "Ce lien ne mène nulle part",
        unknownText: "Il est peut-être mal écrit, ou sa destination n’existe plus.",
        openTitle: "Ouvrir dans l’app",
        otherDevices: "Autres appareils",
        comeBack: "Vous venez d’installer l’app ? Revenez sur cette page dans Safari et touchez Ouvrir tout en haut.",
        copy: "Copier le lien pour l’app",
        copied: "Copié. Ouvrez l’app et collez-y le lien.",
        waitTitle: "Un instant, s’il vous plaît",
        waitText: "Trop de requêtes viennent de votre réseau. Réessayez dans quelques secondes."
    )

    private static let spanish = PageWords(
        language: "es",
        openOnApple: "Abrir en la app en iPhone o iPad",
        openOnAndroid: "Abrir en la app en Android",
        appStore: "Obtener la app en App Store",
        googlePlay: "Obtener la app en Google Play",
        continueOnWeb: "Continuar en la web",
        scan: "Escanea este código con tu teléfono para abrir el enlace allí.",
        inAppBrowser: "¿No ocurre nada? Abre esta página en tu navegador, desde el menú de la app que la muestra.",
        unknownTitle: "Este enlace no lleva a ninguna parte",
        unknownText: "Quizá está mal escrito, o su destino ya no existe.",
        openTitle: "Abrir en la app",
        otherDevices: "Otros dispositivos",
        comeBack: "¿Acabas de instalar la app? Vuelve a esta página en Safari y toca Abrir en la parte superior.",
        copy: "Copiar el enlace para la app",
        copied: "Copiado. Abre la app y pega el enlace allí.",
        waitTitle: "Un momento, por favor",
        waitText: "Llegan demasiadas solicitudes desde tu red. Inténtalo de nuevo en unos segundos."
    )

    private static let arabic = PageWords(
        language: "ar",
        direction: .rightToLeft,
        openOnApple: "افتح في التطبيق على iPhone أو iPad",
        openOnAndroid: "افتح في التطبيق على Android",
        appStore: "نزّل التطبيق من App Store",
        googlePlay: "احصل على التطبيق من Google Play",
        continueOnWeb: "تابع على الويب",
        scan: "امسح هذا الرمز بهاتفك لفتح الرابط عليه.",
        inAppBrowser: "لا يحدث شيء؟ افتح هذه الصفحة في متصفحك من قائمة التطبيق الذي يعرضها.",
        unknownTitle: "هذا الرابط لا يؤدي إلى أي مكان",
        unknownText: "ربما كُتب خطأً، أو لم تعد وجهته موجودة.",
        openTitle: "افتح في التطبيق",
        otherDevices: "أجهزة أخرى",
        comeBack: "هل ثبّتّ التطبيق الآن؟ ارجع إلى هذه الصفحة في Safari واضغط على «فتح» في أعلاها.",
        copy: "انسخ الرابط للتطبيق",
        copied: "تم النسخ. افتح التطبيق والصق الرابط فيه.",
        waitTitle: "لحظة من فضلك",
        waitText: "تأتي طلبات كثيرة جدًا من شبكتك. حاول مرة أخرى بعد بضع ثوانٍ."
    )

    private static let hebrew = PageWords(
        language: "he",
        direction: .rightToLeft,
        openOnApple: "פתיחה באפליקציה ב‑iPhone או ב‑iPad",
        openOnAndroid: "פתיחה באפליקציה ב‑Android",
        appStore: "הורדת האפליקציה מ‑App Store",
        googlePlay: "הורדת האפליקציה מ‑Google Play",
        continueOnWeb: "המשך באתר",
        scan: "סרקו את הקוד בטלפון כדי לפתוח בו את הקישור.",
        inAppBrowser: "לא קורה כלום? פתחו את הדף בדפדפן, מהתפריט של האפליקציה שמציגה אותו.",
        unknownTitle: "הקישור הזה לא מוביל לשום מקום",
        unknownText: "ייתכן שנכתב בטעות, או שהיעד שלו כבר לא קיים.",
        openTitle: "פתיחה באפליקציה",
        otherDevices: "מכשירים אחרים",
        comeBack: "התקנתם עכשיו את האפליקציה? חזרו לדף הזה ב‑Safari והקישו על ״פתיחה״ בראשו.",
        copy: "העתקת הקישור לאפליקציה",
        copied: "הועתק. פתחו את האפליקציה והדביקו בה את הקישור.",
        waitTitle: "רק רגע",
        waitText: "יותר מדי בקשות מגיעות מהרשת שלכם. נסו שוב בעוד כמה שניות."
    )
}

/// The direction of a language's script, as a value of HTML's `dir`.
enum TextDirection: String {
    case leftToRight = "ltr"
    case rightToLeft = "rtl"

    /// The direction that browsers derive from the text.
    case unknown = "auto"

    /// The languages that are written from right to left, unless the tag names another script.
    private static let rightToLeftLanguages: Set<ByteText> = [
        "ar", "arc", "ckb", "dv", "fa", "ff-adlm", "he", "iw", "ks", "nqo", "pnb", "ps", "sd", "syr", "ug", "ur", "yi",
    ]

    /// The scripts that are written from right to left (ISO 15924).
    private static let rightToLeftScripts: Set<ByteText> = ["adlm", "arab", "hebr", "nkoo", "rohg", "syrc", "thaa"]

    /// Creates the direction of a tag, or the unknown direction for an empty tag.
    init(of tag: String) {
        let subtags = tag.lowercased().utf8.split(separator: UInt8(ascii: "-")).map { String(Substring($0)) }
        guard let language = subtags.first else {
            self = .unknown
            return
        }
        if let script = subtags.dropFirst().first(where: { $0.utf8.count == 4 && !ASCII.isDigit($0.utf8.first ?? 0) }) {
            self = Self.rightToLeftScripts.contains(script.bytewise) ? .rightToLeft : .leftToRight
        } else {
            self = Self.rightToLeftLanguages.contains(language.bytewise) ? .rightToLeft : .leftToRight
        }
    }
}

/// The languages that a visitor prefers, best first (RFC 9110 §12.5.4).
package struct LanguageRanges: Sendable {
    /// The maximum number of ranges read from a header.
    private static let maximumCount = 16

    /// The ranges in lower case, best first, where `*` stands for any.
    private let ranges: [[UInt8]]

    /// Reads `Accept-Language`.
    ///
    /// Without it, any language matches.
    package init(_ field: String?) {
        guard let field, !field.isEmpty else {
            ranges = []
            return
        }
        var weighted: [(range: [UInt8], weight: Int)] = []
        for element in FieldParts(of: field, at: ",").prefix(Self.maximumCount) {
            var parts = FieldParts(element, at: ";")
            guard let range = parts.next(), Self.isRange(range) else { continue }
            let weight = parts.first { $0.starts(with: "q=".utf8) }.map { Self.weight($0.dropFirst(2)) } ?? 1_000
            if weight > 0 { weighted.append((range.map(ASCII.lowercased), weight)) }
        }
        // A stable order: the first of equal weights.
        ranges = weighted.enumerated()
            .sorted { ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset) }
            .map(\.element.range)
    }

    /// Returns the best matching version of a text (RFC 4647 §3.4), or the first one if none matches.
    package func best(of text: LocalizedText) -> LocalizedText.Version {
        text.versions[text.versions.count == 1 ? 0 : best(of: text.versions.lazy.map(\.language)) ?? 0]
    }

    /// Returns the index of the best matching tag, or `nil` if none matches.
    func best(of tags: some RandomAccessCollection<String>) -> Int? {
        for range in ranges {
            if let place = Self.place(of: range, in: tags) { return place }
        }
        return nil
    }

    /// Returns the index of the tag that a range matches: the range itself, a truncation of it, or a tag that begins
    /// with it.
    private static func place(of range: [UInt8], in tags: some RandomAccessCollection<String>) -> Int? {
        var range = range[...]
        if range.elementsEqual(CollectionOfOne(UInt8(ascii: "*"))) { return tags.isEmpty ? nil : 0 }
        while true {
            var longer: Int?
            for (place, tag) in tags.enumerated() {
                let tag = tag.utf8Span.span
                guard tag.count >= range.count,
                    ASCII.equalIgnoringCase(tag.extracting(first: range.count), range.span)
                else { continue }
                if tag.count == range.count { return place }
                if longer == nil, tag[range.count] == UInt8(ascii: "-") { longer = place }
            }
            if let longer { return longer }
            guard let end = range.lastIndex(of: UInt8(ascii: "-")) else { return nil }
            range = range[..<end]
        }
    }

    private static func isRange(_ text: Substring.UTF8View) -> Bool {
        !text.isEmpty && text.count <= 35
            && text.allSatisfy { (($0 | 0x20) &- 0x61 < 26) || ASCII.isDigit($0) || $0 == 0x2D || $0 == 0x2A }
    }

    /// Reads a weight in thousandths: `1`, `0.5`, `0.25`.
    private static func weight(_ bytes: Substring.UTF8View) -> Int {
        var weight = 0
        var unit = 1_000
        for byte in bytes.prefix(5) {
            if byte == UInt8(ascii: ".") { continue }
            guard ASCII.isDigit(byte) else { return 0 }
            weight += Int(byte - UInt8(ascii: "0")) * unit
            unit /= 10
        }
        return min(weight, 1_000)
    }
}
