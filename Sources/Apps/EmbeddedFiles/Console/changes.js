// The changes that another catalog would make.

import { call } from './api.js';
import { json } from './answer.js';
import { announce, busy, card, field, h, input, notice, prose, put, refusal, submit, table } from './dom.js';
import { address } from './place.js';

/** @type {View} */
export const view = {
	title: 'Changes',
	mount(main) {
		const text = /** @type {HTMLTextAreaElement} */ (h('textarea', { id: 'candidate', rows: 14, spellcheck: 'false', wrap: 'off', placeholder: 'version: 1' }));
		const file = input('file', { type: 'file', accept: '.yaml,.yml,.json' });
		const result = h('div.result');
		const compare = async () => {
			await busy(result, async () => put(result, await comparison(text.value)));
			announce('Compared.');
		};
		const take = async (/** @type {File | undefined} */ chosen) => {
			if (!chosen) return;
			text.value = await chosen.text();
			await compare();
		};
		file.addEventListener('change', () => take(file.files?.[0]));
		const form = h('form.card.drop', {
			onsubmit: submit(compare),
			ondragover: (/** @type {DragEvent} */ event) => { event.preventDefault(); form.classList.add('over'); },
			ondragleave: () => form.classList.remove('over'),
			ondrop: (/** @type {DragEvent} */ event) => {
				event.preventDefault();
				form.classList.remove('over');
				take(event.dataTransfer?.files[0]);
			},
		}, field('The new catalog', text, 'Paste it, drop a file, or choose one.'),
		h('div.row', field('File', file), h('button.primary', 'Compare')));
		put(main, h('h1', 'Changes'), form, result);
		return { update() {} };
	},
};

/** @type {Of['comparison']} */
async function comparison(candidate) {
	if (!candidate.trim()) return notice('Nothing to compare', 'Paste a catalog, or drop its file.');
	const { ok, body } = await call('POST', '/v1/catalog/diff', { body: candidate, type: 'application/yaml' });
	const issues = /** @type {Issue[] | undefined} */ (body.issues);
	if (!ok || issues?.length) {
		return h('div', ok ? notice('Issues', 'The catalog is invalid.') : refusal(body, 'For admins', 'No catalog'),
			issues?.length ? card('Issues', [], table('Issues', ['Place', 'Code', 'Message', 'Hint'], issues.map((issue) => [`${issue.line ?? '?'}:${issue.column ?? '?'}`, issue.code ?? '', prose(issue.message), prose(issue.hint)]))) : null);
	}
	const findings = /** @type {Finding[]} */ (body.findings ?? []);
	if (!findings.length) return notice('Nothing changes', 'All links resolve as before.');
	/** @type {Finding[][]} */
	const changes = [];
	for (const one of findings) (changes[one.change] ??= []).push(one);
	const rows = changes.flatMap((all) => {
		const own = all.filter((one) => !one.consequence);
		return own.slice(0, 1).concat(all.filter((one) => one.consequence)).map((one) => findingRow(one, own.length));
	});
	return h('div', card(`${findings.length} finding${findings.length > 1 ? 's' : ''}`, [], table('Findings', ['Severity', 'Rule', 'Change', 'Link'], rows)), card('In full', [], json(body)));
}

/** @type {Of['findingRow']} */
function findingRow({ severity, rule, message, consequence, witness: link }, count) {
	return [
		h('span', { class: `badge ${severity}` }, severity), h('code', rule), prose(consequence ? `↳ ${message}` : count > 1 ? `${message} (${count} alike)` : message),
		link ? h('a.link', { href: address('link', { link }) }, link) : '–',
	];
}
