// A stack, drawn as the app's screens and exposed as an ordered list.

import { h, s } from './dom.js';
import { address } from './place.js';

/** The presentations that cover what is below. */
const whole = ['root', 'tab', 'push', 'fullScreenCover'];

/** @param {string} presentation */
const kindOf = (presentation) => presentation.startsWith('custom:') ? 'custom' : presentation;

/** @type {Of['isFrame']} */
function isFrame(destination, place, stack) { return stack[place + 1]?.presentation === 'tab' && whole.includes(destination.presentation); }

/** @type {Of['valueText']} */
export function valueText(value) {
	return typeof value === 'string' ? value : JSON.stringify(value);
}

/** @type {Of['parameterList']} */
function parameterList({ parameters }) { return Object.entries(parameters).map(([name, value]) => `${name} = ${valueText(value)}`); }

/** @type {Of['screens']} */
export function screens(stack, options) {
	const count = stack.length;
	const kept = options.arriving ?? count;
	const list = h('ol', { 'aria-label': options.label, class: `screens${options.kind ? ` ${options.kind}` : ''}` },
		stack.map((destination, place) => screen(destination, place, count, stack[place - 1], options, `${place >= kept ? 'arriving' : ''}${isFrame(destination, place, stack) ? ' frame' : ''}`)),
	);
	const gone = (options.leaving ?? []).filter((...one) => !isFrame(...one)).map((destination) => {
		const item = screen(destination, 0, 0, undefined, options, 'leaving');
		item.setAttribute('aria-hidden', 'true');
		item.addEventListener('animationend', () => item.remove());
		return item;
	});
	const first = list.children[kept];
	for (const item of gone) list.insertBefore(item, first ?? null);
	list.addEventListener('keydown', (event) => walk(list, event));
	return h('div.stage', list);
}

/** @type {Of['walk']} */
function walk(list, event) {
	const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
	if (!step || event.ctrlKey || event.metaKey || event.altKey) return;
	event.preventDefault();
	moveAlong(list, step);
}

/** @type {Of['moveAlong']} */
export function moveAlong(list, step) {
	const links = /** @type {HTMLElement[]} */ ([...list.querySelectorAll('li:not([aria-hidden]) h3 a')]);
	const at = links.findIndex((link) => link === document.activeElement);
	const next = Math.min(Math.max(at + step, 0), links.length - 1);
	links[next]?.focus();
	links[next]?.scrollIntoView({ block: 'nearest', inline: 'center' });
}

/** @type {Of['screen']} */
function screen(destination, place, count, below, options, motion) {
	const { route, presentation } = destination;
	const parameters = parameterList(destination);
	const kind = kindOf(presentation);
	const item = h('li', { 'data-as': kind, class: motion },
		h('section',
			h('h3',
				count ? h('a', { href: address('routes', { route }) },
					h('span.position', `${place + 1} of ${count}, ${presentation}`, comma()),
					h('strong', route, parameters.length ? comma() : null),
					h('span.values', parameters.join(', ')),
				) : h('span', route)),
			motion.endsWith('frame') ? null : phone(destination, kind, parameters, below, options)));
	item.style.setProperty('--place', String(place));
	return item;
}

/** @type {Of['phone']} */
function phone({ route, presentation }, kind, parameters, below, { catalog }) {
	const isWhole = whole.includes(kind);
	const values = h('span.surface-values', parameters.map((text) => h('span', text)));
	const title = h('span.surface-title', route);
	const surface = h('span.surface', bar(kind), title, values, kind === 'alert' || kind === 'confirmationDialog' ? buttons(kind) : lines(kind));
	return h('div.phone', { 'aria-hidden': 'true' },
		h('span.notch'),
		!isWhole && h('span.below', h('span.below-title', below?.route ?? ''), lines('root')),
		!isWhole && h('span.veil'),
		surface,
		kind === 'tab' ? tabBar(route, below, catalog) : null,
		h('span.kind', kind === 'custom' ? presentation.slice(7) : ''));
}

/** @type {Of['bar']} */
function bar(kind) {
	switch (kind) {
	case 'push': return h('span.bar', icon('M7 1 2 6l5 5'), h('i'));
	case 'fullScreenCover': return h('span.bar', h('i'), icon('m2 2 8 8M10 2l-8 8'));
	case 'sheet': case 'bottomSheet': return h('span.grabber');
	default: return null;
	}
}

/** @type {Of['icon']} */
function icon(path) { return s('svg', { viewBox: '0 0 12 12', width: 11, height: 11 }, s('path', { d: path })); }

/** @type {Of['buttons']} */
function buttons(kind) { return h('span.buttons', h('i'), h('i'), kind === 'confirmationDialog' ? h('i') : null); }

/** @type {Of['screensLines']} */
function lines(kind) {
	return h('span.lines', [...whole, 'sheet', 'custom'].includes(kind)
		? [h('i'), h('i'), h('i'), h('i')] : [h('i'), h('i')]);
}

/** @type {Of['tabBar']} */
function tabBar(route, below, catalog) {
	const tabs = catalog?.tabs(below?.route, route) ?? [route];
	const at = tabs.indexOf(route);
	const start = Math.max(0, Math.min(at - 2, tabs.length - 5));
	return h('span.tabs', tabs.slice(start, start + 5).map((tab) =>
		h('span', { class: tab === route ? 'active' : '' }, h('i'), h('b', tab))));
}

/** Creates a pause for users of screen readers. */
function comma() { return h('span.pause', ','); }
