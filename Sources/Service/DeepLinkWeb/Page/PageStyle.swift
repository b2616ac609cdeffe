import DeepLinkCore

/// The appearance of a catalog's pages: one style sheet, allowed by its digest in a page's content security policy.
package struct PageStyle: Sendable {
    /// The style sheet, without the `style` tags.
    package let sheet: [UInt8]

    /// Creates the style sheet for an accent color and the color of text on it, each `nil` for the default.
    init(_ color: AccentColor?, text onColor: AccentColor?) {
        let base = Self.base.withUTF8Buffer { Array($0) }
        guard let color else {
            sheet = base
            return
        }
        // The text color is readable on any background, so dark pages use the same button.
        let text = onColor?.text ?? (color.contrasts.white >= color.contrasts.black ? "#fff" : "#000")
        let isFaint = onColor.map { color.contrast(with: $0) < AccentColor.textContrast } ?? false
        // Large text, from 14 points in bold, may have a lower contrast.
        let size = isFaint ? ";font-size:1.2rem;font-weight:700" : ""
        let own = "main a.main{--main:\(color.text);--on-main:\(text)\(size)}\n"
        sheet = base + Array(own.utf8)
    }

    private static let base: StaticString = """
        :root{color-scheme:light dark;--ink:#1a1a1a;--soft:#4a4a4a;--ground:#fff;--line:#767676;--main:#0b57d0;--on-main:#fff}
        @media (prefers-color-scheme:dark){:root{--ink:#f2f2f2;--soft:#c4c4c4;--ground:#121212;--line:#8c8c8c;--main:#a8c7fa;--on-main:#062e6f}}
        *{box-sizing:border-box}
        body{margin:0;background:var(--ground);color:var(--ink);font:1rem/1.5 system-ui,sans-serif}
        main{max-width:32rem;margin:0 auto;padding:2rem 1rem;overflow-wrap:anywhere}
        h1{font-size:1.5rem;line-height:1.25;margin:1rem 0 .5rem}
        p{margin:.5rem 0;color:var(--soft)}
        .site{display:flex;align-items:center;gap:.75rem}
        .icon{width:3rem;height:3rem;border-radius:.5rem;object-fit:contain}
        .picture{display:block;width:100%;height:auto;max-height:60vh;object-fit:contain;margin:1rem 0;border-radius:.5rem}
        nav,.list{display:grid;gap:.75rem}
        nav{margin:1.5rem 0}
        .list{margin-top:.75rem}
        a,button{color:var(--ink)}
        a.main,a.other,button{display:block;width:100%;padding:.75rem 1rem;border-radius:.5rem;border:2px solid var(--line);background:none;text-align:center;text-decoration:none;font:inherit;font-weight:600;cursor:pointer}
        a.main{background:var(--main);border-color:var(--main);color:var(--on-main)}
        summary{padding:.75rem 0;font-weight:600;cursor:pointer}
        a:focus-visible,button:focus-visible,summary:focus-visible{outline:3px solid var(--ink);outline-offset:3px}
        [hidden]{display:none!important}
        figure{display:none;margin:1.5rem 0;text-align:center}
        svg{width:12rem;height:12rem;background:#fff;border-radius:.5rem}
        figcaption{color:var(--soft)}
        @media (forced-colors:active){a.main,a.other,button{background:Canvas;border-color:LinkText;color:LinkText}}
        @media (min-width:40rem) and (hover:hover) and (pointer:fine){figure{display:block}}

        """
}

/// The script of the button that copies a link, the only script of all pages.
///
/// The content security policy of a page with that button allows it by its digest.
package enum PageScript {
    /// The script, without the `script` tags.
    ///
    /// The script shows the button, so that the button is hidden where it would not work: without scripts, or where a
    /// page may not write to the clipboard.
    package static let copy: StaticString = """
        "use strict";{const b=document.getElementById("copy"),s=document.getElementById("copied");\
        if(navigator.clipboard){b.hidden=false;b.onclick=()=>navigator.clipboard.writeText(b.value)\
        .then(()=>{s.textContent=b.dataset.done},()=>{})}}
        """
}
