// The steps of the engine, and the bytes of the link that decided them.

import { h, prose } from './dom.js';
import { address } from './place.js';

/** @type {Of['markedLink']} */
export function markedLink(link, marks) {
	const bytes = new TextEncoder().encode(link);
	const decoder = new TextDecoder();
	const sorted = marks.filter((mark) => mark.offset <= bytes.length).sort((a, b) => a.offset - b.offset);
	/** @type {Node[]} */
	const parts = [];
	let at = 0;
	for (const mark of sorted) {
		if (mark.offset < at) continue;
		const end = Math.min(mark.offset + mark.length, bytes.length);
		parts.push(document.createTextNode(decoder.decode(bytes.subarray(at, mark.offset))));
		const text = decoder.decode(bytes.subarray(mark.offset, end));
		parts.push(mark.length
			? h('mark', { class: mark.kind, title: `bytes ${mark.offset} to ${end - 1}` }, text)
			: h('mark', { class: `${mark.kind} gap`, title: `byte ${mark.offset}` }, h('span.hidden', '(something is missing here)')));
		at = end;
	}
	parts.push(document.createTextNode(decoder.decode(bytes.subarray(at))));
	return h('code.link', { dir: 'ltr' }, parts);
}

/** @type {Of['failedBytes']} */
export function failedBytes(answer) {
	if (!answer.type) return [];
	if (typeof answer.offset === 'number') return [{ offset: answer.offset, length: answer.length ?? 0, kind: 'failed' }];
	const rejected = (answer.explanation ?? []).filter((step) => step.outcome === 'rejected' && step.offset !== undefined);
	if (!answer.unmatched || !rejected.length) return [];
	const furthest = rejected.reduce((best, step) => ((step.offset ?? 0) > (best.offset ?? 0) ? step : best));
	return [{ offset: furthest.offset ?? 0, length: furthest.length ?? 0, kind: 'failed' }];
}

/** @type {Record<string, string>} */
const words = { matched: 'matches', abandoned: 'abandoned', rejected: 'does not match', inserted: 'inserted', opened: 'opened', denied: 'denied', verified: 'signed' };

/** @type {Of['trace']} */
export function trace(steps, chosen, show) {
	return h('ol.trace', { 'aria-label': 'Steps of the engine' }, steps.map((step, place) =>
		h('li', { 'data-outcome': step.outcome, onpointerenter: () => show(place, false), onpointerleave: () => show(chosen, false) },
			h('button.step', {
				type: 'button',
				'aria-pressed': String(place === chosen),
				onfocus: () => show(place, false),
				onclick: () => show(place, true),
			},
			h('span.outcome', words[step.outcome] ?? step.outcome),
			h('span.step-text', step.route ? h('b', step.route) : null, step.pattern !== undefined ? h('code', step.pattern === '' ? 'no segment' : step.pattern) : null,
				prose(step.reason)),
			step.offset !== undefined ? h('span.bytes', step.length ? `bytes ${step.offset}–${step.offset + step.length - 1}` : `byte ${step.offset}`) : null),
			step.route ? h('a.step-route', { href: address('routes', { route: step.route }), 'aria-label': `Route ${step.route}` }, 'Route') : null)));
}
