// What happened since the start: which links lead nowhere, and which gates are reached and passed.

import { call, hasEndpoint, problemCode, problemText } from './api.js';
import { json } from './answer.js';
import { button, card, h, notice, put, table } from './dom.js';

/** @type {View} */
export const view = {
	title: 'Report',
	mount(main) {
		const content = h('div');
		put(main, h('div.card-head', h('h1', 'Report'), button('Read again', () => load(content))), content);
		return { update: () => { load(content); } };
	},
};

/** @type {Of['load']} */
async function load(content) {
	content.setAttribute('aria-busy', 'true');
	put(content, await report());
	content.removeAttribute('aria-busy');
}

async function report() {
	if (!await hasEndpoint('/v1/report')) return notice('No report yet', 'This server has no ', h('code', 'GET /v1/report'), ': it would say which links nothing matched, and which gates were reached and passed.');
	const reply = await call('GET', '/v1/report').catch((error) => error);
	if (reply instanceof Error) return notice('The server did not answer', `${reply}`);
	if (!reply.ok) return notice(problemCode(reply.body) === 'insufficient-scope' ? 'For monitors and admins' : 'No report', problemText(reply.body));
	return h('div', ...Object.entries(reply.body).map(([name, value]) => section(name, value)));
}

/** A part of the report: lists and mappings as tables, numbers as they are.
 * @type {Of['section']} */
function section(name, value) {
	const title = name.replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`).replace(/^./, (letter) => letter.toUpperCase());
	if (Array.isArray(value) && value.length && value.every((item) => item && typeof item === 'object')) {
		const heads = [...new Set(value.flatMap((item) => Object.keys(item)))];
		return card(title, [], table(title, heads, value.map((item) => heads.map((head) => cell(item[head])))));
	}
	if (value && typeof value === 'object' && !Array.isArray(value)) {
		const entries = Object.entries(value);
		const isFlat = entries.every(([, item]) => item === null || typeof item !== 'object');
		if (isFlat) return card(title, [], table(title, ['', 'Count'], entries.map(([key, item]) => [key, cell(item)])));
		return h('section', h('h2', title), ...entries.map(([key, item]) => section(key, item)));
	}
	return card(title, [], Array.isArray(value) && !value.length ? h('p', 'None.') : Array.isArray(value) ? json(value) : h('p', String(value)));
}

/** @type {Of['cell']} */
function cell(value) {
	if (value === undefined || value === null) return '–';
	return typeof value === 'object' ? h('code', JSON.stringify(value)) : String(value);
}
