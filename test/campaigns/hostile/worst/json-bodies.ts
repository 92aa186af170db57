import type { Operation, Schema } from '../support/operations.ts';
import { placesOf, smallest, withAt, type Kind, type Place } from './places.ts';
import { TEXTS, listOf, textOf } from './texts.ts';

/**
 * A body that is made when it is sent: together they would fill the memory. It differs with the
 * attempt.
 */
export interface WorstBody {
  readonly what: string;
  /** In the short form too. */
  readonly isShort?: boolean;
  readonly body: (attempt: number, bytes: number) => string | Buffer;
}

/** JSON text of this many bytes, with its description. */
type Filling = readonly [what: string, text: (bytes: number, attempt: number) => string, isShort?: boolean | undefined];

/** Maximum depth of a body, counted from a place that is some levels down itself. */
const NESTED = 50;
const KB40 = 40_960;
const nest = (open: string, close: string, levels: number): string => `${open.repeat(levels)}1${close.repeat(levels)}`;
const fill = (open: string, item: (index: number) => string, close: string, most?: number) => (bytes: number) =>
  `${open}${listOf(item, bytes, most)}${close}`;

/**
 * Every text at known places; at the others each in its turn, so that all of them come up across a
 * document.
 */
const texts = (index: number, isKnown: boolean): Filling[] =>
  TEXTS.flatMap((text, number): Filling[] => {
    const turn = (number + index) % 10;
    return [
      ...(isKnown || turn === 0
        ? [[`40 KB of ${text.what}`, () => `"${textOf(text, KB40)}"`, isKnown && text.isShort] as const]
        : []),
      ...(isKnown || turn === 5 ? [[`nothing but ${text.what}`, (bytes: number) => `"${textOf(text, bytes)}"`] as const] : []),
    ];
  });

const manyKeys = fill('{', (index) => `"k${index}":0`, '}');

/** Ten keys that no other object has: each makes a shape of its own. */
const manyKeysFrom = (start: number): string =>
  `{${Array.from({ length: 10 }, (_, at) => `"${(start + at).toString(36)}":0`).join(',')}}`;

const OBJECTS: readonly Filling[] = [['100,000 keys', manyKeys, true]];

const ARRAYS: readonly Filling[] = [
  ['zeros', fill('[', () => '0', ']'), true],
  ['empty objects', fill('[', () => '{}', ']')],
  ['empty texts', fill('[', () => '""', ']')],
  ['numbers that a double rounds', fill('[', (index) => `9007199254740993.${index}`, ']')],
  ['numbers with an exponent', fill('[', () => '1e5', ']')],
  ['nulls', fill('[', () => 'null', ']')],
  ['arrays in arrays', fill('[', () => nest('[', ']', NESTED), ']')],
  ['objects with keys of their own', fill('[', (index) => manyKeysFrom(index * 10), ']')],
  ['objects of many keys', fill('[', () => manyKeys(2_000), ']')],
];

const NUMBERS: readonly Filling[] = [
  ['a million digits', (bytes) => `1${'0'.repeat(300)}.${'1'.repeat(bytes - 310)}`],
  ['a million digits behind the point', (bytes) => `0.${'1'.repeat(bytes - 10)}`],
  ['a million digits as text', (bytes) => `"${'1'.repeat(bytes - 10)}"`],
];

const ROOTS: readonly Filling[] = [
  ['blanks', (bytes) => `${' '.repeat(bytes - 2)}{}`],
  ['a key of a million letters', (bytes) => `{"${'k'.repeat(bytes - 10)}":1}`],
  ['the same key 100,000 times', fill('{', () => '"a":1', '}')],
  ['brackets that never close', (bytes) => '['.repeat(bytes)],
  ['backslashes', (bytes) => `{"a":"${'\\'.repeat(bytes - 8)}"}`],
  ['quotes', (bytes) => '"'.repeat(bytes)],
  ['half surrogates in escapes', (bytes) => `{"a":"${'\\ud83d'.repeat(Math.floor(bytes / 6) - 4)}"}`],
];

/**
 * Elements that fit their schema: as many as there is room for, and 10,000, 250 and 20 that fill it
 * with texts of theirs.
 */
const elements = ({ schema }: Place, side: Operation['side'], sample: unknown): Filling[] => {
  const items = schema.items ?? {};
  const good = (index: number, attempt: number) => JSON.stringify(smallest(items, side, index + attempt * 1_000_000));
  const fat = (most: number): Filling => [
    `${most} elements as large as there is room`,
    (bytes, attempt) => {
      const size = Math.floor(bytes / most);
      const item = (index: number): string => {
        const text = good(index, attempt);
        // The first text of the element takes the remaining bytes.
        return text.replace(/:"/, `:"${'f'.repeat(Math.max(0, size - text.length - 2))}`);
      };
      return `[${listOf(item, bytes, most)}]`;
    },
  ];
  const rich = Array.isArray(sample) && sample.length > 0 ? JSON.stringify(sample[0]) : null;
  return [
    ['elements that fit', (bytes, attempt) => `[${listOf((index) => good(index, attempt), bytes)}]`],
    ['10,000 elements that fit', (bytes, attempt) => `[${listOf((index) => good(index, attempt), bytes, 10_000)}]`, true],
    ['the same element again and again', (bytes, attempt) => `[${listOf(() => good(0, attempt), bytes)}]`],
    ...[10_000, 250, 20].map(fat),
    ...(rich === null ? [] : [['its example again and again', fill('[', () => rich, ']')] as const]),
  ];
};

const entries = ({ schema }: Place, side: Operation['side']): Filling[] => {
  const inner = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : {};
  const good = (index: number) => JSON.stringify(smallest(inner, side, index));
  return [
    ['100,000 entries that fit', fill('{', (index) => `"k${index}":${good(index)}`, '}'), true],
    ['entries of locales', fill('{', (index) => `"x${(index % 1_296).toString(36)}-${index}":${good(index)}`, '}')],
  ];
};

const valueAt = (value: unknown, path: Place['path']): unknown =>
  path.reduce<unknown>((node, head) => (node as Record<string, unknown> | null | undefined)?.[head as string], value);

/** Fields for which every text is tried, at each size: those that are taken apart, near the top. */
const KNOWN = /slug|handle|url|regex|domain/i;
const KNOWN_DEPTH = 3;

const fillingsOf = (place: Place, index: number, side: Operation['side'], example: unknown): readonly Filling[] => {
  const isKnown = place.path.length <= KNOWN_DEPTH && KNOWN.test(String(place.path.at(-1) ?? ''));
  const byKind: Readonly<Record<Kind, () => readonly Filling[]>> = {
    object: () => (place.path.length === 0 ? [...OBJECTS, ...ROOTS] : OBJECTS),
    map: () => entries(place, side),
    array: () => [...ARRAYS, ...elements(place, side, valueAt(example, place.path))],
    string: () => texts(index, isKnown),
    number: () => NUMBERS,
    any: () => [...OBJECTS, ...ARRAYS, ...texts(index, true)],
  };
  return byKind[place.kind]();
};

const MARK = '@@the worst@@';
/** Room for the rest of the body. */
const REST = 8;

/**
 * Bodies of each shape at each place that the schema names, the rest of the body being its example.
 */
export const jsonBodies = (schema: Schema, side: Operation['side'], example: unknown): WorstBody[] =>
  placesOf(schema, side).flatMap((place, index) => {
    const around = JSON.stringify(withAt(example, schema, side, place.path, MARK));
    const [before = '', after = ''] = around.split(JSON.stringify(MARK));
    const rest = Buffer.byteLength(before) + Buffer.byteLength(after) + REST;
    return fillingsOf(place, index, side, example).map(([what, text, isShort = false]) => ({
      what: `${what} at ${['body', ...place.path].join('.')} (${place.kind})`,
      isShort,
      body: (attempt: number, bytes: number) => `${before}${text(bytes - rest, attempt)}${after}`,
    }));
  });
