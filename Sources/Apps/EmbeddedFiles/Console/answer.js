// A complete answer: its JSON, and the commands that request it.

import { asserted, levels, permissions } from './catalog.js';
import { card, copyButton, h } from './dom.js';
import { token } from './api.js';

/** @type {Of['quoted']} */
function quoted(text) { return /^[A-Za-z0-9_./:=@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`; }

/** @type {Of['json']} */
export function json(value) {
	const text = JSON.stringify(value, null, 2) ?? '';
	/** @type {Node[]} */
	const parts = [];
	let at = 0;
	for (const match of text.matchAll(/"(?:\\.|[^"\\])*"(\s*:)?|-?\d[\d.eE+-]*|true|false|null/g)) {
		parts.push(document.createTextNode(text.slice(at, match.index)));
		parts.push(h('span', { class: match[1] ? 'key' : match[0].startsWith('"') ? 'text' : 'value' }, match[0]));
		at = (match.index ?? 0) + match[0].length;
	}
	parts.push(document.createTextNode(text.slice(at)));
	return h('pre', { tabindex: 0 }, h('code', parts));
}

/** @type {Of['jsonCard']} */
export function jsonCard(title, value) {
	return card(title, [copyButton('the JSON', () => JSON.stringify(value, null, 2))], json(value));
}

/** @type {Of['commandsCard']} */
export function commandsCard(question) {
	const { link, user, level, grants, mode, from, partial, app } = question;
	const facts = grants ? grants.split(',') : [];
	/** @type {Record<string, unknown>} */
	const who = user ? asserted(facts) : level || facts.length ? permissions(level || levels[0], facts) : {};
	/** @type {Record<string, string>} */
	const words = Object.fromEntries(Object.entries({ link, user, ...who, mode, from, partial, app }).map(([name, value]) => [name, value ? String(value) : '']));
	const names = Object.keys(words).filter((name) => words[name]);
	const isStack = question.from?.startsWith('[');
	const authorization = token.value ? ' -H "Authorization: Bearer $WAYMARK_TOKEN"' : '';
	const path = `${location.origin}/v1/resolve`;
	const curl = isStack
		? `curl${authorization} -H 'Content-Type: application/json' ${path} -d ${quoted(JSON.stringify({ link, ...(user && { user }), ...who, ...(mode && { mode }), from: stackOf(from), ...(partial && { partial: true }), ...(app && { app }) }))}`
		: `curl --get${authorization} ${path}${names.map((name) => ` \\\n  --data-urlencode ${quoted(`${name}=${words[name]}`)}`).join('')}`;
	const flags = names.filter((name) => name !== 'link').map((name) => name === 'partial' ? ' --partial' : ` --${name} ${quoted(words[name])}`);
	const command = `waymark resolve ${quoted(question.link)}${flags.join('')} --catalog routes.yaml`;
	return card('Ask from a shell', [], line('curl', curl), line('waymark', command), h('p.hint', 'With the file of this server’s catalog.'));
}

/** @type {Of['stackOf']} */
export function stackOf(text) {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** @type {Of['line']} */
function line(name, text) {
	return h('div.command', h('div.command-head', h('h3', name), copyButton(`the ${name} command`, () => text)), h('pre', { tabindex: 0 }, h('code', text)));
}
