// Short links: a form, the links with their counts, and one with its history.

import { call, problemCode, problemText, read } from './api.js';
import { catalog, everything } from './catalog.js';
import { countCells, countHeads } from './counts.js';
import { announce, busy, button, card, choice, copyButton, fault, field, h, input, notice, pair, put, refusal, s, save, submit, table } from './dom.js';
import { address, change, go } from './place.js';
import { screens } from './screens.js';
import { endOf } from './users.js';

const path = '/v1/short-links';
const callers = 'For publishers and admins';
const states = ['working', 'broken', 'expired', 'withdrawn'];

/** @type {View} */
export const view = {
	title: 'Short links',
	mount(main) {
		const form = h('div');
		const content = h('div.result');
		put(main, h('h1', 'Short links'), form, content);
		return {
			async update(parameters, identifier) {
				await busy(content, async () => {
					const hosts = (await catalog()).body.origins.filter((origin) => origin.shortLinks);
					put(content, !hosts.length ? notice('No short links', 'The catalog has no origin with ', h('code', 'shortLinks: true'), '.') : await (identifier ? one(identifier) : list(parameters)));
					// A refused caller makes no links either.
					if (identifier || !content.querySelector('form')) put(form);
					else if (!form.hasChildNodes()) put(form, maker(hosts));
				});
			},
		};
	},
};

// Making

/** @type {Of['maker']} */
function maker(origins) {
	const target = input('target', { required: true, maxlength: 2048, placeholder: 'https://…' });
	const code = input('code', { pattern: '[A-Za-z0-9_\\-]{3,128}', title: '3 to 128 letters, digits, - and _' });
	const label = input('new-label', { maxlength: 64 });
	const hosts = origins.flatMap(({ hosts, pathPrefix = '' }) => hosts.map((host) => ({ host, prefix: `https://${host}${pathPrefix}/` })));
	const host = choice('host', hosts.map(({ host }) => [host]));
	const end = input('end', { type: 'datetime-local', step: 1 });
	const result = h('div.result', { role: 'status' });
	const preview = async () => {
		const known = await catalog();
		const leads = destination(target.value.trim(), known);
		let { link } = leads;
		if (!link) {
			const built = await call('POST', '/v1/links', { body: leads });
			if (!built.ok) return fault(problemText(built.body));
			link = built.body.link;
		}
		const answer = await call('POST', '/v1/resolve', { body: { link, ...everything() } });
		const stack = answer.body.stack;
		if (!stack) return fault(problemText(answer.body));
		if (code.value && (await call('GET', `${path}/${code.value}`)).ok) return fault(taken);
		const from = hosts.find((one) => one.host === host.value)?.prefix;
		const body = { ...leads, host: host.value, ...(label.value && { label: label.value }), ...(end.value && { expires: endOf(end) }) };
		const key = `${Date.now()}-${Math.random()}`;
		return h('div',
			card('The stack', [], screens(stack, { label: 'The stack', catalog: known })),
			h('div.pair', pageCard(known.routes.get(stack.at(-1)?.route ?? '')),
				card('The QR code', [], await qr(`${from}${code.value || '0000000000'}`),
					code.value ? null : h('p.hint', 'An example: the code is drawn when the link is made.'))),
			button('Make it', () => make(body, code.value, key, result), 'button.primary'));
	};
	return h('form.question', { onsubmit: submit(() => busy(result, async () => put(result, await preview()))), oninput: () => put(result) },
		h('h2', 'A new short link'),
		h('div.link-row', field('Leads to', target, 'A link, or a route with its values: product id=5')),
		h('div.options', field('Code', code, 'Empty: the server draws one.'), field('Label', label, 'The counts add up by it.'), field('Host', host), field('Until', end, 'Empty for no end.')),
		h('div.row', h('button', 'Preview')), result);
}

const taken = 'The code is another short link’s. Choose another one.';

/** @type {Of['destination']} */
function destination(text, known) {
	const [route, ...pairs] = text.split(/\s+/);
	const declared = known.routes.get(route)?.parameters;
	if (!declared) return { link: text };
	return { route, parameters: Object.fromEntries(pairs.map((pair) => {
		const [, name, value] = pair.match(/^([^=]*)=(.*)$/) ?? [pair, pair, ''];
		const isPlain = ['int', 'double', 'bool'].includes(declared.find((one) => one.name === name)?.type ?? '');
		return [name, isPlain && /^(-?\d+(\.\d+)?|true|false)$/.test(value) ? JSON.parse(value) : value];
	})) };
}

/** @type {Of['make']} */
async function make(body, code, key, result) {
	/** @type {Reply<ShortLink & Answer>} */
	const reply = await call('POST', code ? `${path}/${code}` : path, {
		body,
		headers: { 'Idempotency-Key': key, ...(code && { 'If-None-Match': '*' }) },
	});
	if (!reply.ok) return put(result, fault(['version-mismatch', 'code-taken'].includes(problemCode(reply.body)) ? taken : problemText(reply.body)));
	go(address('short-links', {}, reply.body.code));
	announce(`Made ${reply.body.link}.`);
}

/** @type {Of['pageCard']} */
function pageCard(route) {
	const { title, description, fallback, open } = route?.web ?? {};
	const text = (/** @type {unknown} */ value) => typeof value === 'string' ? value : value ? Object.values(value).join(' / ') : '–';
	return card('The page', [], h('dl.pairs', pair('Title', text(title)), pair('Text', text(description)),
		pair('A browser', fallback ? `is sent on to ${text(fallback)}` : open === 'web' ? 'stays on the page' : 'shows the page, which opens the app')));
}

/** @type {Of['qr']} */
async function qr(link) {
	const blob = await read(`/v1/qr-code?link=${encodeURIComponent(link)}`, 'image/svg+xml');
	const [, side, path] = (await blob?.text())?.match(/0 0 (\d+) .* d="([^"]+)"/) ?? [];
	return h('figure.qr', blob && path ? s('svg', { viewBox: `0 0 ${side} ${side}`, role: 'img', 'aria-label': `The QR code of ${link}` },
		s('rect', { width: side, height: side, fill: '#fff' }), s('path', { d: path, stroke: '#000' })) : null,
	h('figcaption.row', h('code', link), copyButton('the address', () => link), blob ? button('Save the QR code', () => save(blob, 'qr-code.svg'), 'button.small') : null));
}

// Reading

/** @type {Of['shortLinkList']} */
async function list(parameters) {
	const query = new URLSearchParams({ limit: '50' });
	for (const name of ['route', 'label', 'state', 'after']) if (parameters.get(name)) query.set(name, parameters.get(name) ?? '');
	/** @type {Reply<Answer & { shortLinks?: ShortLink[], next?: string }>} */
	const reply = await call('GET', `${path}?${query}`);
	if (!reply.ok) return refusal(reply.body, callers, 'No short links');
	const links = reply.body.shortLinks ?? [];
	const rows = await counts(links.map((link) => link.code));
	const [route, label] = ['route', 'label'].map((name) => {
		const control = input(name);
		control.value = parameters.get(name) ?? '';
		return control;
	});
	const state = choice('state', [['', 'any'], ...states.map((name) => [name])], parameters.get('state') ?? '');
	return card('All short links', [],
		h('form.row', { onsubmit: submit(() => go(address('short-links', { route: route.value, label: label.value, state: state.value }))) },
			field('Route', route), field('Label', label), field('State', state), h('button', 'Show')),
		links.length ? table('Short links', ['Code', 'Leads to', 'Label', 'State', ...countHeads], links.map((link) => [
			h('a', { href: address('short-links', {}, link.code) }, link.code), link.route, link.label ?? '–', badge(link.state), ...countCells(rows.get(link.code) ?? {}),
		])) : h('p.empty', 'None here.'),
		reply.body.next ? h('a.button', { href: address('short-links', { ...Object.fromEntries(parameters), after: reply.body.next }) }, 'More short links') : null);
}

/** @type {Of['codeCounts']} */
async function counts(codes) {
	/** @type {Reply<CountsBody> | undefined} */
	const reply = codes.length ? await call('GET', `/v1/counts?by=code&code=${codes.join(',')}`) : undefined;
	return new Map((reply?.ok ? reply.body.rows : []).map((row) => [row.code ?? '', row]));
}

/** @type {Of['badge']} */
function badge(state) { return h(`span.badge.${{ broken: 'break', expired: 'risk', withdrawn: 'risk' }[state] ?? 'good'}`, state); }

/** @type {Of['shortLink']} */
async function one(code) {
	const at = `${path}/${encodeURIComponent(code)}`;
	/** @type {Reply<ShortLink & Answer>} */
	const reply = await call('GET', at);
	const link = reply.body;
	const back = h('p', h('a', { href: address('short-links') }, 'All short links'));
	if (!reply.ok && link.state !== 'withdrawn') return h('div', back, refusal(link, callers, 'No short link'));
	const rows = await counts([link.code ?? code]);
	return h('div', back,
		reply.ok ? card(link.code, [h('a.button', { href: address('link', { link: link.target }) }, 'Test where it leads')],
			link.problem && fault(`Broken: ${problemText(link.problem)}`),
			h('dl.pairs', pair('State', badge(link.state)), pair('Leads to', h('code', link.target)), pair('Route', link.route), pair('Label', link.label ?? '–'),
				pair('Until', link.expires ?? '–'), ...(link.about ? [pair('About', link.about)] : []), pair('Made', link.createdAt)), await qr(link.link))
			: notice('Withdrawn', `The code ${code} leads nowhere, and is never given to another link.`),
		card('Counts since it was made', [], table('Counts', ['Code', ...countHeads], [[link.code ?? code, ...countCells(rows.get(link.code ?? code) ?? {})]])),
		await changes(at), reply.ok ? withdrawal(at, reply.tag) : null);
}

/** @type {Of['shortLinkChanges']} */
async function changes(at) {
	/** @type {Reply<{ history?: ShortLinkChange[] }>} */
	const { body } = await call('GET', `${at}/history?limit=100`);
	return body.history?.length ? card('History', [], table('History', ['Version', 'Leads to', 'Label', 'Until', 'At', 'By'], body.history.map((row) =>
		[`${row.version}`, row.withdrawn ? 'withdrawn' : row.target, row.label ?? '–', row.expires ?? '–', row.at, row.by]))) : null;
}

/** @type {Of['withdrawal']} */
function withdrawal(at, tag) {
	const outcome = h('div', { role: 'status' });
	const withdraw = async () => {
		const reply = await call('DELETE', at, { headers: tag ? { 'If-Match': tag } : {} });
		if (!reply.ok) return put(outcome, fault(problemText(reply.body)));
		announce('Withdrawn.');
		change({}, { replace: true });
	};
	return card('Withdraw', [], h('details', h('summary', 'Withdraw this short link'),
		h('p', 'Whoever follows it then gets the web site, or learns that the link leads nowhere.'), button('Withdraw it', withdraw)), outcome);
}
