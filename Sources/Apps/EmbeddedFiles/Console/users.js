// Users: the stored level of each, the current level, and the history. For admins.

import { call, problemCode, problemText } from './api.js';
import { catalog, grants, levels } from './catalog.js';
import { announce, busy, button, card, choice, fault, field, h, input, notice, pair, put, refusal, submit, table } from './dom.js';
import { address, change, go } from './place.js';

/** @type {View} */
export const view = {
	title: 'Users',
	mount(main) {
		const control = input('user-id', { maxlength: 256 });
		const content = h('div');
		put(main, h('h1', 'Users'), h('form.row', {
			onsubmit: submit(() => go(control.value ? address('users', {}, control.value) : address('users'))),
		}, field('User', control), h('button.primary', 'Look up'), h('a.button', { href: address('users') }, 'All users')), content);
		return {
			async update(parameters, identifier) {
				control.value = identifier;
				const after = parameters.get('after') ?? '';
				await busy(content, async () => put(content, await (identifier ? one(identifier, after) : list(after))));
			},
		};
	},
};

/** @type {Of['list']} */
async function list(after) {
	const query = new URLSearchParams({ limit: '50', ...(after && { after }) });
	/** @type {Reply<Answer & { users?: User[], next?: string }>} */
	const reply = await call('GET', `/v1/users?${query}`);
	if (!reply.ok) return refusal(reply.body, 'For admins', 'No users');
	const users = reply.body.users ?? [];
	if (!users.length && !after) return notice('No users yet', 'No user has a stored level, so every user has the lowest level. Look up a user to store a level.');
	const hasGrants = users.some((user) => user.grants);
	return card('Users', [], table('Users', ['User', 'Counts now', ...(hasGrants ? ['Grants'] : []), 'Stored', 'Until', 'Changed'], users.map((user) => [
		h('a', { href: address('users', {}, user.id) }, user.id), user.currentLevel, ...(hasGrants ? [grantNames(user.grants)] : []),
		user.authorizationLevel, time(user.validUntil), time(user.updatedAt),
	])), reply.body.next ? h('a.button', { href: address('users', { after: reply.body.next }) }, 'More users') : null);
}

/** @type {Of['time']} */
function time(text) { return text ? h('time', { datetime: text }, text.replace('T', ' ').replace(/\.\d+Z$/, 'Z')) : '–'; }

/** @type {Of['grantNames']} */
function grantNames(held) { return Object.keys(held ?? {}).join(', ') || '–'; }

/** @type {Of['one']} */
async function one(id, after) {
	const path = `/v1/users/${encodeURIComponent(id)}`;
	await catalog().catch(() => undefined);
	/** @type {Reply<User & Answer>} */
	const reply = await call('GET', path);
	const isNew = problemCode(reply.body) === 'unknown-user';
	if (!reply.ok && !isNew) return refusal(reply.body, 'For admins', 'No users');
	const user = isNew ? undefined : reply.body;
	return h('div',
		card(id, [h('a.button', { href: address('link', { user: id }) }, 'Test a link as this user')],
			user ? h('dl.pairs', pair('Counts now', user.currentLevel), pair('Stored', user.authorizationLevel), pair('Until', time(user.validUntil)),
				pair('Afterwards', user.levelAfter ?? (user.validUntil ? 'one lower' : '–')), pair('Version', String(user.version)), pair('Changed', time(user.updatedAt)))
				: h('p', 'Nothing is stored for this user: the level is the lowest.')),
		editor(path, user, reply.tag),
		grantsCard(path, user, reply.tag),
		user ? remover(path, user, reply.tag) : null,
		await history(path, id, after));
}

/** @type {Of['editor']} */
function editor(path, user, tag) {
	const names = levels.map((name) => [name]);
	const level = choice('new-level', names, user?.authorizationLevel);
	const until = input('until', { type: 'datetime-local', step: 1 });
	const after = choice('level-after', [['', 'one lower'], ...names], user?.levelAfter);
	until.value = localTime(user?.validUntil);
	const outcome = h('div', { role: 'status' });
	const save = async () => {
		const end = endOf(until, user?.validUntil);
		const reply = await call('POST', path, {
			body: { authorizationLevel: level.value, ...(end && { validUntil: end, ...(after.value && { levelAfter: after.value }) }) },
			headers: tag && user ? { 'If-Match': tag } : { 'If-None-Match': '*' },
		});
		if (reply.ok) {
			announce('Stored.');
			change({ after: null }, { replace: true });
			return;
		}
		refuse(outcome, reply.body, user);
	};
	return card('Change', [], h('form.row', { onsubmit: submit(save) },
		field('Level', level), field('Until', until, 'In this computer’s time zone; empty for no end.'), field('Afterwards', after), h('button.primary', 'Store')), outcome);
}

/** @type {Of['refuseChange']} */
function refuse(outcome, problem, user) {
	const isStale = problemCode(problem) === 'version-mismatch';
	put(outcome, fault(isStale ? `412: somebody else changed this user meanwhile (version ${problem.version ?? 'unknown'}, here ${user?.version ?? 'none'}). Nothing was stored.` : problemText(problem),
		isStale && button('Read it again', () => change({}, { replace: true }))));
}

/** @type {Of['grantsCard']} */
function grantsCard(path, user, tag) {
	const stored = grants.filter((grant) => grant.from !== 'app');
	if (!stored.length) return null;
	const outcome = h('div', { role: 'status' });
	return card('Grants', [], table('Grants', ['Grant', 'Until', ''], stored.map(({ name }) => grantRow(path, name, user, tag, outcome))), outcome);
}

/** @type {Of['grantRow']} */
function grantRow(path, name, user, tag, outcome) {
	const held = user?.grants?.[name];
	const control = input(`grant-${name}`, { type: 'checkbox', role: 'switch', checked: Boolean(held) });
	const until = input(`until-${name}`, { type: 'datetime-local', step: 1, 'aria-label': `The end of ${name}` });
	until.value = localTime(held?.validUntil);
	const store = async () => {
		const end = endOf(until, held?.validUntil);
		/** @type {Record<string, string>} */
		const headers = user && tag ? { 'If-Match': tag } : {};
		const to = `${path}/grants/${encodeURIComponent(name)}`;
		if (!control.checked && !held) return;
		const reply = control.checked ? await call('PUT', to, { body: end ? { validUntil: end } : {}, headers }) : await call('DELETE', to, { headers });
		if (!reply.ok) return refuse(outcome, reply.body, user);
		announce('Stored.');
		change({ after: null }, { replace: true });
	};
	return [h('label.check', control, name), until, button(`Store ${name}`, store)];
}

/** @type {Of['localTime']} */
function localTime(text) {
	if (!text) return '';
	const time = new Date(text);
	return new Date(time.getTime() - time.getTimezoneOffset() * 60000).toISOString().slice(0, 19);
}

/** @type {Of['endOf']} */
export function endOf(until, stored = '') {
	// An unchanged end keeps its milliseconds.
	return until.value === localTime(stored) ? stored : until.value && new Date(until.value).toISOString();
}

/** @type {Of['remover']} */
function remover(path, user, tag) {
	const erase = input('erase', { type: 'checkbox' });
	const outcome = h('div', { role: 'status' });
	const remove = async () => {
		const reply = await call('DELETE', path + (erase.checked ? '?history=erase' : ''), { headers: tag ? { 'If-Match': tag } : {} });
		if (!reply.ok) return put(outcome, fault(problemText(reply.body)));
		announce('Deleted.');
		change({ after: null }, { replace: true });
	};
	return card('Delete', [], h('details', h('summary', `Delete ${user.id}`),
		h('label.check', erase, 'with the history, for good'), button('Delete', remove)), outcome);
}

/** @type {Of['history']} */
async function history(path, id, after) {
	const query = new URLSearchParams({ limit: '20', ...(after && { after }) });
	/** @type {Reply<Answer & { history?: UserChange[], next?: string | number }>} */
	const reply = await call('GET', `${path}/history?${query}`);
	const rows = reply.body.history ?? [];
	if (!reply.ok || !rows.length) return null;
	const hasGrants = rows.some((row) => row.grants);
	return card('History', [], table('History', ['Version', 'Level', 'Until', 'Afterwards', ...(hasGrants ? ['Grants'] : []), 'At', 'By'], rows.map((row) => [
		String(row.version), row.authorizationLevel ?? 'deleted', time(row.validUntil), row.levelAfter ?? '–',
		...(hasGrants ? [grantNames(row.grants)] : []), time(row.at), row.by,
	])), reply.body.next !== undefined ? h('a.button', { href: address('users', { after: reply.body.next }, id) }, 'More changes') : null);
}
