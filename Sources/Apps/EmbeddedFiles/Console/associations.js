// The test whether a phone opens a link in the app.

import { call, problemText } from './api.js';
import { json } from './answer.js';
import { catalog, everything } from './catalog.js';
import { busy, card, copyButton, field, h, input, notice, prose, put, submit } from './dom.js';
import { address, go } from './place.js';
import { screens } from './screens.js';

/** @type {[platform: string, name: string, path: string][]} */
const platforms = [
	['ios', 'iOS', '/.well-known/apple-app-site-association'],
	['android', 'Android 15', '/.well-known/assetlinks.json'],
];

/** @type {View} */
export const view = {
	title: 'Associations',
	mount(main) {
		const url = input('url', { placeholder: 'https://…' });
		const app = input('app');
		const result = h('div.result');
		const files = h('div.pair');
		put(main, h('h1', 'Associations'),
			h('form.question', {
				onsubmit: submit(() => go(address('associations', { url: url.value, app: app.value }))),
			}, h('div.link-row', field('Web link', url), field('App', app, 'An appID or a package; empty for any.'), h('button.primary', 'Test'))),
			result, files);
		showFiles(files);
		return {
			async update(parameters) {
				url.value = parameters.get('url') ?? '';
				app.value = parameters.get('app') ?? '';
				if (!url.value) {
					put(result, notice('Test a web link', 'Shows whether a phone opens the link in the app, the rule of the association files that decides, and the stack that the app would show.'));
					return;
				}
				await busy(result, async () => {
					const verdicts = await Promise.all(platforms.map(([platform, name]) => verdict(platform, name, url.value, app.value)));
					put(result, h('div.pair', verdicts), await shown(url.value));
				});
			},
		};
	},
};

/** @type {Of['associationsVerdict']} */
async function verdict(platform, name, url, app) {
	try {
		const reply = await call('POST', '/v1/associations/test', { body: { url, platform, ...(app && { app }) } });
		if (!reply.ok) return notice(name, problemText(reply.body));
		const { opens, rule, component } = /** @type {{ opens?: boolean, rule?: number | null, component?: unknown }} */ (/** @type {unknown} */ (reply.body));
		return h('section', { class: `verdict ${opens ? 'good' : 'bad'}`, 'aria-label': name },
			h('div.verdict-head', h('span.sign', { 'aria-hidden': 'true' }, opens ? '✓' : '×'),
				h('h2', opens ? `${name} opens the app` : `${name} stays in the browser`)),
			h('p.detail', typeof rule === 'number' ? `Rule ${rule} of the file decides:` : 'No rule of the file decides.'),
			component === undefined || component === null ? null : json(component));
	} catch (error) {
		return notice(name, String(error));
	}
}

/** @type {Of['shown']} */
async function shown(link) {
	const reply = await call('POST', '/v1/resolve', { body: { link, ...everything() } });
	const stack = reply.body.stack;
	if (!stack) return card('What the app would show', [], h('p', prose(problemText(reply.body))));
	const known = await catalog(reply.body.catalogVersion).catch(() => undefined);
	return card('What the app would show', [h('a.button', { href: address('link', { link }) }, 'In the link tester')], screens(stack, { label: 'What the app would show', catalog: known }));
}

/** @type {Of['showFiles']} */
async function showFiles(files) {
	const known = await catalog().catch(() => undefined);
	if (known && !known.body.apps) {
		put(files, notice('No files', 'The catalog has no ', h('code', 'apps'), '. With them, the server generates the association files of both platforms.'));
		return;
	}
	const cards = await Promise.all(platforms.map(async ([, name, path]) => {
		const reply = await call('GET', path);
		return reply.ok ? card(`${name}: the file`, [copyButton('the file', () => JSON.stringify(reply.body, null, 2))], h('p.hint', h('code', path)), json(reply.body))
			: notice(`${name}: no file`, problemText(reply.body));
	}));
	put(files, cards);
}
