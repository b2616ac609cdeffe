/// The script of the button that copies a link, the only one of any page: the content security policy of a page with
/// that button allows it by its digest.
package enum PageScript {
    /// The script, between the tags of `script`.
    ///
    /// The button is shown by the script, so that it is nowhere that it would do nothing: not without scripts, and not
    /// where a page may not write to the clipboard.
    package static let copy: StaticString = """
        "use strict";{const b=document.getElementById("copy"),s=document.getElementById("copied");\
        if(navigator.clipboard){b.hidden=false;b.onclick=()=>navigator.clipboard.writeText(b.value)\
        .then(()=>{s.textContent=b.dataset.done},()=>{})}}
        """
}
