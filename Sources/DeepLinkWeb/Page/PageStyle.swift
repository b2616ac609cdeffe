/// The appearance of pages: one style sheet, which the content security policy of a page allows by its digest.
package enum PageStyle {
    /// The sheet, between the tags of `style`.
    package static let sheet: StaticString = """
        :root{color-scheme:light dark;--ink:#1a1a1a;--soft:#4a4a4a;--ground:#fff;--line:#767676;--main:#0b57d0;--on-main:#fff}
        @media (prefers-color-scheme:dark){:root{--ink:#f2f2f2;--soft:#c4c4c4;--ground:#121212;--line:#8c8c8c;--main:#a8c7fa;--on-main:#062e6f}}
        *{box-sizing:border-box}
        body{margin:0;background:var(--ground);color:var(--ink);font:1rem/1.5 system-ui,sans-serif}
        main{max-width:32rem;margin:0 auto;padding:2rem 1rem;overflow-wrap:anywhere}
        h1{font-size:1.5rem;line-height:1.25;margin:.25rem 0 .5rem}
        p{margin:.5rem 0;color:var(--soft)}
        nav{display:grid;gap:.75rem;margin:1.5rem 0}
        a{color:var(--main)}
        a.main,a.other{display:block;padding:.75rem 1rem;border-radius:.5rem;border:2px solid var(--line);text-align:center;text-decoration:none;font-weight:600;color:var(--ink)}
        a.main{background:var(--main);border-color:var(--main);color:var(--on-main)}
        a:focus-visible{outline:3px solid var(--main);outline-offset:3px}
        figure{display:none;margin:1.5rem 0;text-align:center}
        svg{width:12rem;height:12rem;background:#fff;border-radius:.5rem}
        figcaption{color:var(--soft)}
        @media (forced-colors:active){a.main,a.other{background:Canvas;border-color:LinkText;color:LinkText}}
        @media (min-width:40rem) and (hover:hover) and (pointer:fine){figure{display:block}}

        """
}
