// Values that fit a parameter, so that a route can be shown with a link.

/** @type {Of['witnesses']} */
export function witnesses(parameters, opener) {
	const isNeeded = (/** @type {Parameter} */ { name, from, inherit, required }) => inherit === undefined && required || (opener !== undefined && [from ?? name].flat().includes(opener));
	return Object.fromEntries(parameters.filter(isNeeded).map((parameter) => [parameter.name, witness(parameter)]));
}

/** @type {Of['witness']} */
function witness(parameter) {
	if (parameter.default !== undefined) return parameter.default;
	const list = /^\[(.*)\]$/.exec(parameter.type);
	if (!list) return single(parameter.type, parameter);
	const one = single(list[1], { ...parameter, min: undefined, max: undefined });
	return Array(Math.max(parameter.min ?? 1, 1)).fill(one);
}

/** @type {Of['single']} */
function single(type, parameter) {
	const { min, max } = parameter;
	switch (type) {
	case 'int': return Math.min(Math.max(1, min ?? 1), max ?? 1);
	case 'double': return Math.min(Math.max(1.5, min ?? 1.5), max ?? 1.5);
	case 'bool': return true;
	case 'uuid': return '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
	case 'date': return '2027-01-01';
	case 'dateTime': return '2027-01-01T12:00:00Z';
	case 'enum': return parameter.values?.[0];
	case 'object': return witnesses(parameter.fields ?? [], undefined);
	default: return text(parameter);
	}
}

/** @type {Of['text']} */
function text({ name, pattern, min = 0, max = Infinity }) {
	if (pattern) return fitting(pattern);
	return name.length > max ? name.slice(0, max) : name.padEnd(min, 'a');
}

/** @type {Of['fitting']} */
function fitting(pattern) {
	let result = '';
	for (const [, negated, inside, escape, plain, length] of pattern.matchAll(/(?:\[(\^?)((?:\\.|[^\]])+)\]|\\(.)|([^[\]\\]))(\{\d+(?:,\d*)?\}|[*+?])?/gu)) {
		const count = length?.startsWith('{') ? Number(/\d+/.exec(length)) : length === '*' || length === '?' ? 0 : 1;
		const character = inside ? (negated ? '~' : ofClass(inside)) : escape ? ofEscape(escape) : plain;
		result += character.repeat(count);
	}
	return result;
}

/** @type {Of['ofClass']} */
function ofClass(inside) { return inside.startsWith('\\') ? ofEscape(inside[1]) : String.fromCodePoint(inside.codePointAt(0) ?? 97); }

/** @type {Of['ofEscape']} */
function ofEscape(escape) { return { d: '1', w: 'a', s: ' ' }[escape] ?? escape; }
