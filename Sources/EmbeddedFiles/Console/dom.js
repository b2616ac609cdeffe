// Elements, created without parsing markup from a text: texts of a catalog or a link stay text.

/**
 * Creates an element. A tag may carry classes: `p.quiet`. Attributes beginning with `on` are listeners.
 * @param {string} tag
 * @param {...(Attributes | Child | Child[])} parts
 * @returns {HTMLElement}
 */
export function h(tag, ...parts) {
	const [name, ...classes] = tag.split('.');
	const element = document.createElement(name);
	if (classes.length) element.className = classes.join(' ');
	return fill(element, parts);
}

/**
 * Creates an SVG element.
 * @param {string} tag
 * @param {...(Attributes | Child | Child[])} parts
 * @returns {SVGElement}
 */
export function s(tag, ...parts) { return fill(document.createElementNS('http://www.w3.org/2000/svg', tag), parts); }

/**
 * @template {Element} E
 * @param {E} element
 * @param {(Attributes | Child | Child[])[]} parts
 * @returns {E}
 */
function fill(element, parts) {
	for (const part of parts.flat()) {
		if (!part) continue;
		if (typeof part === 'string' || part instanceof Node) element.append(part);
		else for (const [name, value] of Object.entries(part)) {
			if (value === undefined || value === null || value === false) continue;
			if (name.startsWith('on')) element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
			else element.setAttribute(name, value === true ? '' : String(value));
		}
	}
	return element;
}

/**
 * Replaces the children of an element.
 * @param {Element} element
 * @param {...(Child | Child[])} children
 */
export function put(element, ...children) {
	element.replaceChildren();
	fill(element, children);
}

/** Returns an element that the page always has.
 * @type {Of['byID']} */
export function byID(id) {
	const element = document.getElementById(id);
	if (!element) throw new Error(`The page has no #${id}.`);
	return element;
}

/** Announces a text to users of screen readers.
 * @type {Of['announce']} */
export function announce(text) {
	byID('announcement').textContent = text;
}

/** Creates a button that copies a text.
 * @type {Of['copyButton']} */
export function copyButton(label, text) {
	return h('button.small', {
		type: 'button',
		'aria-label': `Copy ${label}`,
		onclick: (/** @type {Event} */ event) => copy(text(), label, /** @type {HTMLElement} */ (event.currentTarget)),
	}, 'Copy');
}

/**
 * @param {string} text
 * @param {string} label
 * @param {HTMLElement} [button]
 */
export async function copy(text, label, button) {
	try {
		await navigator.clipboard.writeText(text);
		announce(`Copied ${label}.`);
		if (button) flash(button, 'Copied');
	} catch {
		announce('This browser did not let the page copy; select the text instead.');
		if (button) flash(button, 'Not allowed');
	}
}

/** @type {Of['flash']} */
function flash(button, word) {
	button.textContent = word;
	setTimeout(() => { button.textContent = 'Copy'; }, 1500);
}

/**
 * Creates a card with a heading.
 * @param {string} title
 * @param {Child[]} tools
 * @param {...(Child | Child[])} children
 */
export function card(title, tools, ...children) {
	return h('section.card', h('div.card-head', h('h2', title), ...tools), ...children);
}

/** Creates a table in which the first cell of each row is its header.
 * @type {Of['table']} */
export function table(caption, heads, rows) {
	return h('div.scroll', { tabindex: 0, role: 'region', 'aria-label': caption },
		h('table',
			h('caption.hidden', caption),
			h('thead', h('tr', heads.map((head) => h('th', { scope: 'col' }, head)))),
			h('tbody', rows.map((row) => h('tr',
				row.map((cell, place) => place ? h('td', cell) : h('th', { scope: 'row' }, cell)))))));
}

/**
 * Creates a notice in place of missing content, with the reason.
 * @param {string} title
 * @param {...(Child | Child[])} text
 */
export function notice(title, ...text) {
	return h('div.notice', h('h2', title), h('p', ...text));
}

/**
 * @param {string} label
 * @param {HTMLElement} control
 * @param {string} [hint]
 */
export function field(label, control, hint) {
	if (hint) control.setAttribute('aria-describedby', `${control.id}-hint`);
	return h('div.field', h('label', { for: control.id }, label), control,
		hint && h('p.hint', { id: `${control.id}-hint` }, hint));
}

/** Creates a listener for a form that isn't sent anywhere.
 * @type {Of['submit']} */
export function submit(action) {
	return (event) => {
		event.preventDefault();
		action();
	};
}

/**
 * Creates a control for a line of text.
 * @param {string} id
 * @param {Attributes} [attributes]
 */
export function input(id, attributes) {
	return /** @type {HTMLInputElement} */ (h('input', { id, name: id, type: 'text', autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false', ...attributes }));
}

/**
 * Creates a button that runs an action.
 * @param {string} text
 * @param {(event: Event) => void} action
 * @param {string} [kind]
 */
export function button(text, action, kind = 'button') { return h(kind, { type: 'button', onclick: action }, text); }

/** @type {Of['pair']} */
export function pair(name, value) { return h('div', h('dt', name), h('dd', value)); }
