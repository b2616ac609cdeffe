// The changes that another catalog would make, before it is in force.

import { call } from './api.js';
import { json } from './answer.js';
import { announce, busy, card, field, h, input, notice, prose, put, refusal, submit, table } from './dom.js';
import { address } from './place.js';

/** @type {View} */
export const view = {
	title: 'Changes',
	mount(main) {
		const text = /** @type {HTMLTextAreaElement} */ (h('textarea', { id: 'candidate', rows: 14, spellcheck: 'false', autocomplete: 'off', wrap: 'off', placeholder: 'version: 1\norigins: …' }));
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
		}, field('The new catalog', text, 'Paste it, drop a file here, or choose one. The catalog in force stays the same.'),
		h('div.row', field('File', file), h('button.primary', 'Compare')));
		put(main, h('h1', 'Changes'), form, result);
		return { update() { /* A candidate isn't part of the address. */ } };
	},
};

/** @type {Of['comparison']} */
async function comparison(candidate) {
	if (!candidate.trim()) return notice('Nothing to compare', 'Paste a catalog, or drop its file.');
	const reply = await call('POST', '/v1/catalog/diff', { body: candidate, type: 'application/yaml' });
	const body = reply.body;
	const issues = /** @type {Issue[] | undefined} */ (body.issues);
	if (!reply.ok || issues?.length) {
		return h('div', reply.ok ? notice('Issues', 'The catalog is invalid.') : refusal(body, 'For admins', 'No catalog'),
			issues?.length ? card('Issues', [], table('Issues', ['Place', 'Code', 'Message', 'Hint'], issues.map((issue) => [`${issue.line ?? '?'}:${issue.column ?? '?'}`, issue.code ?? '', prose(issue.message), prose(issue.hint)]))) : null);
	}
	const findings = /** @type {Finding[]} */ (body.findings ?? []);
	if (!findings.length) return notice('Nothing changes', 'Every link resolves as before, for every user.');
	return h('div', card(`${findings.length} ${findings.length === 1 ? 'finding' : 'findings'}`, [], table('Findings', ['Severity', 'Rule', 'Change', 'Link'], findings.map(findingRow))), card('In full', [], json(body)));
}

/** @type {Of['findingRow']} */
function findingRow(finding) {
	const link = finding.witness;
	return [
		h('span', { class: `badge ${finding.severity ?? ''}` }, finding.severity ?? ''), h('code', finding.rule ?? ''), prose(finding.message ?? finding.route),
		link ? h('a.link', { href: address('link', { link }) }, link) : '–',
	];
}
