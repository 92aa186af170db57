import { readdirSync } from 'node:fs';
import { basename } from 'node:path';

import { defaultOf, settings } from '../../src/adapters/wiring/settings/config.ts';
import { root, sourceFiles, textOf } from '../architecture/source.ts';

/** The pages of docs/specification, as paths from the repository's root. */
export const specification = readdirSync(`${root}/docs/specification`).map((name) => `docs/specification/${name}`);

/** A row of a table of limits (docs/specification/README.md, "Limits"). */
export interface Limit {
  readonly value: string;
  readonly source: string;
}

/** The rows below the heading Limits. */
export const limitsOf = (page: string): Limit[] =>
  [...(page.split('\n## Limits\n')[1] ?? '').matchAll(/^\| .+? +\| (.+?) +\| `(.+?)` *\|$/gm)].map(
    ([, value = '', source = '']) => ({ value, source }),
  );

/** Bytes, seconds, or a share of one. */
const UNITS: Readonly<Record<string, number>> = { KiB: 1024, MiB: 1024 ** 2, s: 1, min: 60, h: 3600, days: 86_400, '%': 0.01 };

/** `20 MiB` and `0 s, 5 min` as numbers in the base unit. */
const quantities = (value: string): number[] =>
  value.split(', ').map((part) => {
    const [, digits = '', unit] = /^([\d,.]+)(?: (\S+))?$/.exec(part) ?? [];
    return Number(digits.replaceAll(',', '')) * (unit === undefined ? 1 : (UNITS[unit] ?? NaN));
  });

/** A name says the unit of its value. */
const inBaseUnit = (name: string, value: number): number => {
  if (name.endsWith('_MS')) return value / 1000;
  return /_DAYS(?:\.|$)/.test(name) ? value * 86_400 : value;
};

/**
 * Reads the declared value of a constant, or of a member of one (`ROW_LIMITS.bytes`). Undefined
 * without a declaration.
 */
const declared = (text: string, name: string): string | undefined => {
  const [constant = '', member] = name.split('.');
  const whole = new RegExp(String.raw`\bconst ${constant}\b(?:: [^=]+)? = ([^;]+);`).exec(text)?.[1];
  return member === undefined ? whole : new RegExp(String.raw`\b${member}: ([^,}]+)`).exec(whole ?? '')?.[1];
};

/** The product of the expression's numbers and of the constants of the file that it names. */
const product = (text: string, expression: string): number =>
  expression.split('*').reduce((value, part) => {
    const factor = part.trim().replaceAll(/(?<=\d)_/g, '');
    const constant = /^[A-Z]/.test(factor) ? declared(text, factor) : undefined;
    return value * (constant === undefined ? Number(factor) : product(text, constant));
  }, 1);

/** The files of the server, without the doubles of tests. */
export const serverFiles = sourceFiles('src').filter((file) => !/^src\/(?:generated|adapters\/memory)\//.test(file));

/** True when a text, such as a rule or a code, has the value as a word. */
const says = (text: string, value: string): boolean => text.split(/\W+/).includes(value);

const constantAgrees = ({ value }: Limit, file: string, name: string): boolean => {
  const texts = serverFiles.filter((path) => basename(path) === file).map(textOf);
  const found = texts.flatMap((text) => {
    const expression = declared(text, name);
    if (expression === undefined) return [];
    if (expression.startsWith("'")) return [says(expression, value)];
    return [quantities(value)[0] === inBaseUnit(name, product(text, expression))];
  });
  return found.length > 0 && found.every(Boolean);
};

type Json = Readonly<Record<string, unknown>>;
const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** Every object of the document that has this name: of a schema, a parameter or a property. */
const named = (value: unknown, name: string): Json[] => {
  if (!isJson(value)) return [];
  const schema = value['name'] === name ? [value['schema']] : [value[name]];
  return [...schema.filter(isJson), ...Object.values(value).flatMap((child) => named(child, name))];
};

const documents = ['docs/openapi.json', 'docs/openapi-admin.json'].map((path) => JSON.parse(textOf(path)) as unknown);

/** `ProductChange.name.maxLength`, wherever the schema has it on the way. */
const schemaAgrees = ({ value }: Limit, path: string): boolean => {
  const names = path.split('.');
  const keyword = names.pop() ?? '';
  const last = names.reduce<unknown[]>((found, name) => found.flatMap((each) => named(each, name)), documents);
  const values = last.flatMap((schema) => [...new Set(numbersOf(schema, keyword))]);
  return values.length > 0 && values.every((each) => each === quantities(value)[0]);
};

const numbersOf = (schema: unknown, keyword: string): number[] =>
  isJson(schema) && typeof schema[keyword] === 'number' ? [schema[keyword]] : [];

/** True when the code has this limit, with this value. */
export const agrees = (limit: Limit): boolean => {
  const { value, source } = limit;
  const [place = '', name] = source.split(': ');
  if (name === undefined) {
    const given = place in settings ? defaultOf(place).split(',') : [];
    return given.map((each) => inBaseUnit(place, Number(each))).join() === quantities(value).join();
  }
  return place === 'openapi' ? schemaAgrees(limit, name) : constantAgrees(limit, place, name);
};
