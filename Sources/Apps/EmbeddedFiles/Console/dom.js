// Elements, created without parsing markup: any text stays text.

import { problemCode, problemText } from './api.js';

/** @type {Of['h']} */
export function h(tag, ...parts) {
	const [name, ...classes] = tag.split('.');
	const element = document.createElement(name);
	if (classes.length) element.className = classes.join(' ');
	return fill(element, parts);
}

/** @type {Of['s']} */
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

/** @type {Of['put']} */
export function put(element, ...children) {
	element.replaceChildren();
	fill(element, children);
}

/** @type {Of['byID']} */
export function byID(id) {
	const element = document.getElementById(id);
	if (!element) throw new Error(`The page has no #${id}.`);
	return element;
}

/** @type {Of['announce']} */
export function announce(text) {
	byID('announcement').textContent = text;
}

/** @type {Of['copyButton']} */
export function copyButton(label, text) {
	return h('button.small', {
		type: 'button',
		'aria-label': `Copy ${label}`,
		onclick: (/** @type {Event} */ event) => copy(text(), label, /** @type {HTMLElement} */ (event.currentTarget)),
	}, 'Copy');
}

/** @param {string} text @param {string} label @param {HTMLElement} [button] */
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

/** @type {Of['card']} */
export function card(title, tools, ...children) {
	return h('section.card', h('div.card-head', h('h2', title), ...tools), ...children);
}

/** @type {Of['table']} */
export function table(caption, heads, rows) {
	return h('div.scroll', { tabindex: 0, role: 'region', 'aria-label': caption },
		h('table',
			h('caption.hidden', caption),
			h('thead', h('tr', heads.map((head) => h('th', { scope: 'col' }, head)))),
			h('tbody', rows.map((row) => h('tr',
				row.map((cell, place) => place ? h('td', cell) : h('th', { scope: 'row' }, cell)))))));
}

/** @type {Of['notice']} */
export function notice(title, ...text) {
	return h('div.notice', h('h2', title), h('p', text.flat().map((part) => typeof part === 'string' ? prose(part) : part)));
}

/** @type {Of['prose']} */
export function prose(text = '') { return h('span', text.split(/`([^`]+)`/).map((part, at) => at % 2 ? h('code', part) : part)); }

/** @type {Of['field']} */
export function field(label, control, hint = '') {
	if (hint) control.setAttribute('aria-describedby', `${control.id}-hint`);
	return h('div.field', h('label', { for: control.id }, label), control,
		hint && h('p.hint', { id: `${control.id}-hint` }, hint));
}

/** @type {Of['submit']} */
export function submit(action) {
	return (event) => {
		event.preventDefault();
		return act(event, action);
	};
}

/** @type {Of['act']} */
async function act(event, action) {
	const control = /** @type {Element} */ (event.currentTarget);
	if (control.hasAttribute('aria-busy')) return;
	if (control.nextElementSibling?.matches('[role=alert]')) control.nextElementSibling.remove();
	control.setAttribute('aria-busy', 'true');
	try {
		await action(event);
	} catch (error) {
		control.after(h('div.notice.bad', { role: 'alert' }, h('p', `The server did not answer: ${error}`)));
	}
	control.removeAttribute('aria-busy');
}

/** @type {Of['input']} */
export function input(id, attributes = {}) {
	return /** @type {HTMLInputElement} */ (h('input', { id, name: id, type: 'text', autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false', ...attributes }));
}

/** @type {Of['choice']} */
export function choice(id, options, value = '') {
	return /** @type {HTMLSelectElement} */ (h('select', { id }, options.map(([of, text = of]) => h('option', { value: of, selected: of === value }, text))));
}

/** @type {Of['button']} */
export function button(text, action, kind = 'button') { return h(kind, { type: 'button', onclick: (/** @type {Event} */ event) => act(event, action) }, text); }

/** @type {Of['pair']} */
export function pair(name, value) { return h('div', h('dt', name), h('dd', value)); }

/** @type {Of['save']} */
export function save(blob, name) {
	const link = /** @type {HTMLAnchorElement} */ (h('a', { href: URL.createObjectURL(blob), download: name }));
	link.click();
	URL.revokeObjectURL(link.href);
	announce(`Saved ${name}.`);
}

/** @type {Of['fault']} */
export function fault(text, ...rest) { return h('div.notice.bad', h('p', prose(text)), ...rest); }

/** @type {Of['busy']} */
export async function busy(element, action) {
	element.setAttribute('aria-busy', 'true');
	try {
		await action();
	} catch (error) {
		put(element, notice('The server did not answer', `${error}`));
	}
	element.removeAttribute('aria-busy');
}

/** @type {Of['refusal']} */
export function refusal(problem, callers, title) {
	return notice(['insufficient-scope', 'authentication-required'].includes(problemCode(problem)) ? callers : title, problemText(problem));
}
