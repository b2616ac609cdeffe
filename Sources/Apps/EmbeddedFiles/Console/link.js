// The link tester: the result of a link for each level or user, and the reasons.

import { errorText, problemCode, problemText, resolveAll } from './api.js';
import { commandsCard, jsonCard, stackOf } from './answer.js';
import { asserted, catalog, everything, grants, levels, permissions } from './catalog.js';
import { announce, button, byID, card, copyButton, field, h, input, notice, prose, put, submit } from './dom.js';
import { address, change, go, place } from './place.js';
import { moveAlong, screens } from './screens.js';
import { failedBytes, markedLink, trace } from './trace.js';

const names = ['link', 'user', 'level', 'grants', 'mode', 'from', 'partial', 'app'];

/** @type {View} */
export const view = {
	title: 'Link tester',
	mount(main) {
		const form = questionForm();
		const result = h('div.result', { id: 'result' });
		put(main, h('h1', 'Link tester'), form, result);
		// The levels of the form are those of the catalog.
		catalog().catch(() => undefined);
		let asking = new AbortController();
		let shown = '';
		/** @type {Shown | undefined} */
		let last;
		return {
			update(parameters) {
				const question = Object.fromEntries(names.map((name) => [name, parameters.get(name) ?? '']));
				show(question);
				const key = JSON.stringify(question);
				const step = Number(parameters.get('step') ?? -1);
				if (key === shown && last) {
					last.choose(step);
					return;
				}
				shown = key;
				last = undefined;
				asking.abort();
				asking = new AbortController();
				if (!question.link) {
					put(result);
					welcome(result);
					return;
				}
				ask(question, result, step, asking.signal).then((answer) => { last = answer; });
			},
			key: (event) => key(event, result),
		};
	},
};

/** @type {Of['key']} */
function key(event, result) {
	const level = levels[Number(event.key) - 1];
	if (level) pin(level);
	else if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') {
		const list = result.querySelector('ol.screens');
		if (!(list instanceof HTMLElement)) return false;
		moveAlong(list, event.key === 'ArrowRight' ? 1 : -1);
	} else if (event.key === '[' || event.key === ']') {
		const steps = result.querySelectorAll('.trace li').length;
		if (!steps) return false;
		const at = Number(place().parameters.get('step') ?? -1);
		const next = Math.min(Math.max(at + (event.key === ']' ? 1 : -1), 0), steps - 1);
		change({ step: next }, { replace: true });
		const step = result.querySelectorAll('.trace .step')[next];
		if (step instanceof HTMLElement) step.focus();
	} else return false;
	return true;
}

/** @type {Of['pin']} */
function pin(level) { change({ level: level === levels[0] ? null : level, user: null }); }

// The question

function questionForm() {
	return h('form.question', { id: 'question', onsubmit: submit(send) },
	h('div.link-row',
		field('Link', input('link', { maxlength: 9000, placeholder: 'https://…' })),
		h('button.primary', 'Resolve')),
	h('div.options',
		h('fieldset.levels', h('legend', 'For the level'), levels.map((level, at) => h('label',
			h('input', { type: 'radio', name: 'level', value: level, checked: at === 0, onchange: send }), h('span', level)))),
		field('or for a user', input('user', { maxlength: 256, placeholder: 'id' })),
		grants.length ? h('fieldset.grants', h('legend', 'Who has'), grants.map(({ name, from }) => h('label.check',
			h('input', { type: 'checkbox', role: 'switch', name: 'grant', value: name, onchange: send }), from === 'app' ? `${name} (on the device)` : name))) : null,
		h('details', { id: 'more' }, h('summary', 'Current stack and options'),
			h('div.more',
				field('The app shows now', input('from'), 'A link, or a stack as JSON: [] for nothing.'),
				h('fieldset.levels', h('legend', 'The link'), [['replace', 'replaces it'], ['append', 'continues it']].map(([mode, words], at) => h('label',
					h('input', { type: 'radio', name: 'mode', value: mode, checked: at === 0, onchange: send }), h('span', words)))),
				field('Asked by the app', input('app', { placeholder: 'driver.ios/3.1.0' })),
				h('label.check', h('input', { type: 'checkbox', name: 'partial', onchange: send }), 'Accept a partial match')))));
}

/** @type {Of['controls']} */
function controls(name) { return /** @type {HTMLInputElement[]} */ ([...byID('question').querySelectorAll(`[name="${name}"]`)]); }

/** Writes the question of the form into the address. */
function send() {
	const [link, user, from, app] = ['link', 'user', 'from', 'app'].map((name) => controls(name)[0].value);
	const level = controls('level').find((control) => control.checked)?.value ?? levels[0];
	const mode = controls('mode').find((control) => control.checked)?.value ?? 'replace';
	go(address('link', {
		link, user, from, app,
		level: user || level === levels[0] ? '' : level,
		grants: controls('grant').filter((control) => control.checked && !(user && control.disabled)).map((control) => control.value).join(','),
		mode: mode === 'replace' ? '' : mode,
		partial: controls('partial')[0].checked ? 'true' : '',
	}));
}

/** @type {Of['show']} */
function show(question) {
	for (const name of ['link', 'user', 'from', 'app']) {
		const [control] = controls(name);
		if (control.value !== question[name]) control.value = question[name];
	}
	for (const control of controls('level')) control.checked = !question.user && control.value === (question.level || levels[0]);
	const held = question.grants.split(',');
	for (const control of controls('grant')) {
		// A user's grants are the stored ones; those of the device are asserted for anybody.
		control.disabled = Boolean(question.user) && !grants.some(({ name, from }) => name === control.value && from === 'app');
		control.checked = !control.disabled && held.includes(control.value);
	}
	for (const control of controls('mode')) control.checked = control.value === (question.mode || 'replace');
	controls('partial')[0].checked = question.partial === 'true';
	if (question.from || question.mode || question.partial || question.app) byID('more').setAttribute('open', '');
}

/** @type {Of['welcome']} */
async function welcome(result) {
	try {
		const { body } = await catalog();
		if (place().parameters.get('link')) return;
		put(result, card('Start with a link', [],
			h('p', `The catalog has ${body.routes.length} routes. Each has an example: `, h('a', { href: address('routes') }, 'choose one'), ', or start with a gate.'),
			h('ul.suggestions', [...new Set(Object.values(body.gates).map((gate) => typeof gate === 'string' ? gate : gate.link))].map(suggestion))));
	} catch (error) {
		put(result, notice('No catalog', errorText(error)));
	}
}

/** @type {Of['suggestion']} */
function suggestion(link) { return h('li', h('a', { href: address('link', { ...Object.fromEntries(place().parameters), link, step: null }) }, link)); }

// The answer

/** @type {Of['body']} */
function body({ link, mode, from, partial, app }, rest) {
	return {
		link, ...rest,
		...(mode && { mode }), ...(from && { from: from.startsWith('[') ? stackOf(from) ?? from : from }), ...(partial && { partial: true }), ...(app && { app }),
	};
}

/** @type {Of['ask']} */
async function ask(question, result, step, signal) {
	result.setAttribute('aria-busy', 'true');
	try {
		const facts = question.grants ? question.grants.split(',') : [];
		const who = question.user ? { user: question.user, ...asserted(facts) }
			: question.level || facts.length ? permissions(question.level || levels[0], facts) : {};
		const isLink = question.from && !question.from.startsWith('[');
		/** @type {object[]} */
		const questions = [body(question, { ...who, explain: true }), ...levels.map((level) => body(question, permissions(level, facts)))];
		if (isLink) questions.push({ link: question.from, ...everything() });
		const begin = performance.now();
		const answers = await resolveAll(questions, signal);
		const elapsed = performance.now() - begin;
		if (!Array.isArray(answers)) {
			put(result, verdict(answers, question.link, [], elapsed));
			announce(problemText(answers));
			return undefined;
		}
		const [answer, ...others] = answers;
		const current = isLink ? others[levels.length]?.stack : question.from ? stackOf(question.from) : undefined;
		const known = await catalog(answer.catalogVersion).catch(() => undefined);
		if (signal.aborted) return undefined;
		return draw(result, question, answer, others.slice(0, levels.length), { current, known, elapsed, step });
	} catch (error) {
		if (signal.aborted) return undefined;
		put(result, h('div.verdict.bad', h('p', 'The server did not answer.'), h('p.detail', String(error))));
		announce('The server did not answer.');
		return undefined;
	} finally {
		if (!signal.aborted) result.removeAttribute('aria-busy');
	}
}

/** @type {Of['draw']} */
function draw(result, question, answer, ladder, { current, known, elapsed, step }) {
	const failed = failedBytes(answer);
	const steps = answer.explanation ?? [];
	let chosen = step;
	const marked = h('p.marked');
	const showStep = (/** @type {number} */ at) => {
		const one = steps[at];
		put(marked, markedLink(question.link, one?.offset !== undefined
			? [{ offset: one.offset, length: one.length ?? 0, kind: one.outcome === 'rejected' || one.outcome === 'abandoned' ? 'failed' : 'step' }] : failed));
	};
	const list = trace(steps, chosen, (at, isKept) => {
		showStep(at);
		if (isKept) change({ step: at }, { replace: true });
	});
	showStep(chosen);
	put(result, verdict(answer, question.link, [marked, ...advice(answer, known)], elapsed),
		stage(answer, ladder, current, known),
		ladderCard(ladder, answer, question),
		steps.length ? card('Trace', [h('p.hint', 'Choose a step to mark its bytes in the link.')], list) : null,
		h('div.pair', jsonCard(answer.type ? `Problem: ${answer.status} ${problemCode(answer)}` : 'Plan', answer), commandsCard(question)));
	announce(verdictText(answer));
	return {
		choose(at) {
			chosen = at;
			[...list.querySelectorAll('.step')].forEach((button, place) => button.setAttribute('aria-pressed', String(place === at)));
			showStep(at);
		},
	};
}

/** @type {Of['verdictText']} */
function verdictText(answer) {
	const top = answer.stack?.at(-1);
	if (!answer.type) return top ? `Resolved: ${top.route} opens as ${top.presentation}.` : 'Resolved: nothing changes.';
	if (problemCode(answer) === 'insufficient-authorization-level') return `Gated: ${answer.route} requires ${answer.requiredLevel}; the level is ${answer.userLevel}.`;
	if (problemCode(answer) === 'missing-grant') return `Gated: ${answer.route} requires a grant; missing is ${answer.missing?.join(', ')}.`;
	return `${answer.title ?? 'The link failed'}.`;
}

/** @type {Of['isGated']} */
function isGated(answer) { return ['insufficient-authorization-level', 'missing-grant'].includes(problemCode(answer)); }

/** @type {Of['linkVerdict']} */
function verdict(answer, link, parts, elapsed) {
	const kind = !answer.type ? 'good' : isGated(answer) ? 'gated' : 'bad';
	return h('section', { class: `verdict ${kind}`, 'aria-label': 'Verdict' },
		h('div.verdict-head',
			h('span.sign', { 'aria-hidden': 'true' }, { good: '✓', gated: '!', bad: '×' }[kind]),
			h('h2', verdictText(answer)),
			h('p.facts', answer.catalogVersion ? h('span', `catalog ${answer.catalogVersion}`) : null,
				h('span', `${elapsed < 10 ? elapsed.toFixed(1) : Math.round(elapsed)} ms for all levels`))),
		...parts,
		answer.detail ? h('p.detail', prose(answer.detail)) : null,
		answer.canonicalLink && answer.canonicalLink !== link
			? h('p.detail', 'Canonical: ', h('a.link', { href: address('link', { link: answer.canonicalLink }) }, answer.canonicalLink), ' ', copyButton('the canonical link', () => answer.canonicalLink ?? '')) : null);
}

/** @type {Of['advice']} */
function advice(answer, known) {
	return [
		answer.app ? opener(answer.app, known) : null,
		answer.suggestions?.length ? h('div', h('p', 'Did you mean'), h('ul.suggestions', answer.suggestions.map(suggestion))) : null,
		answer.hint ? h('p.detail', prose(answer.hint)) : null,
		answer.unusedQuery ? h('p.detail', `Unused in the query: ${answer.unusedQuery.map(([name, value]) => (value === null ? name : `${name}=${value}`)).join(', ')}.`) : null,
		answer.unusedFragment !== undefined ? h('p.detail', `Unused fragment: ${answer.unusedFragment}`) : null,
		answer.unresolved ? h('p.detail', `Not resolved: ${answer.unresolved.join(' / ')}`) : null,
	];
}

/** @type {Of['opener']} */
function opener(app, known) {
	const { ios = [], android = [] } = /** @type {AppForms} */ (known?.body.apps?.[app] ?? {});
	const stores = [...ios.filter((one) => one.storeID).map((one) => ['App Store', `apps.apple.com/app/id${one.storeID}`]),
		...android.map((one) => ['Google Play', `play.google.com/store/apps/details?id=${one.package}`])];
	return h('p.detail', 'Opens in the app ', h('b', app), stores.flatMap(([name, path]) => [' ', h('a', { href: `https://${path}` }, name)]));
}

/** @type {Of['stage']} */
function stage(answer, ladder, current, known) {
	if (answer.stack) return stackCard('Stack', answer.stack, answer.transition, current, known, undefined);
	if (answer.gate?.stack) {
		const behind = ladder.find((other) => other.stack)?.stack;
		return h('div.pair',
			stackCard(`Shown instead: the gate of ${answer.gate.level ?? answer.gate.grant}`, answer.gate.stack, answer.gate.transition, current, known, 'gate'),
			behind ? card('Behind the gate', [], screens(behind, { label: 'The stack behind the gate', catalog: known, kind: 'behind' })) : null);
	}
	if (!answer.matched?.length) return null;
	return card('Partial match', [], screens(answer.matched, { label: 'The partial match', catalog: known, kind: 'part' }),
		h('p.detail', 'Then ', h('code', answer.unmatched?.join('/') ?? ''), ' fits nothing.'));
}

/** @type {Of['stackCard']} */
function stackCard(title, stack, transition, current, known, kind) {
	const label = `${title}, ${stack.length} ${stack.length === 1 ? 'screen' : 'screens'}`;
	if (!transition) return card(title, [], screens(stack, { label, catalog: known, kind }));
	const draw = () => screens(stack, { label, catalog: known, kind, arriving: transition.keep, leaving: current?.slice(transition.keep) });
	const holder = h('div', draw());
	return card(title, [
		h('p.facts', h('span', `keeps ${transition.keep}`), h('span', `dismisses ${transition.dismiss}`), h('span', `presents ${transition.present.length}`)),
		button('Play the transition', () => put(holder, draw()), 'button.small'),
	], holder);
}

/** @type {Of['ladderCard']} */
function ladderCard(ladder, answer, question) {
	const scope = ladder.find((other) => problemCode(other) === 'insufficient-scope' || problemCode(other) === 'authentication-required');
	if (scope) return card('Levels', [], h('p', prose(scope.detail ?? scope.title)), h('p.hint', 'With a service token, the console shows the result for each level.'));
	const now = question.user ? answer.authorizationLevel?.user ?? answer.userLevel : question.level || levels[0];
	return card('Levels', [], h('ul.ladder', ladder.map((other, at) => rung(levels[at], other, levels[at] === now, Boolean(question.user)))));
}

/** @type {Of['lacks']} */
function lacks({ gate, missing, requiredLevel }) {
	if (missing) return missing.join(', ');
	return `${gate?.level ?? requiredLevel}${gate && gate.level !== requiredLevel ? `, then ${requiredLevel}` : ''}`;
}

/** @type {Of['rung']} */
function rung(level, answer, isNow, isUser) {
	const code = problemCode(answer);
	const granted = !answer.type;
	const gated = isGated(answer);
	return h('li', { class: `${granted ? 'good' : gated ? 'gated' : 'bad'}${isNow ? ' now' : ''}` },
		h('button', { type: 'button', 'aria-pressed': String(isNow && !isUser), onclick: () => pin(level) },
			h('span.sign', { 'aria-hidden': 'true' }, granted ? '✓' : gated ? '!' : '×'), h('span', level)),
		h('p', granted ? `opens ${answer.stack?.at(-1)?.route ?? 'nothing new'}` : gated ? `stops at the gate ${answer.gate?.stack?.at(-1)?.route ?? '(none)'}` : answer.title ?? code),
		gated ? h('p.hint', `lacks ${lacks(answer)}`) : null,
		answer.requiresApp ? h('p.hint', `takes ${Object.entries(answer.requiresApp).map((app) => app.join('/')).join(', ')}`) : null,
		h('p.path', (answer.stack ?? answer.gate?.stack ?? []).map((destination) => destination.route).join(' › ')));
}
