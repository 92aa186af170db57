import { parsePrice, PRICE_RULE } from '../../../domain/catalogue/price.ts';
import { MAX_INT32 } from '../../../domain/values/int32.ts';
import { isWebUrl, WEB_URL_RULE } from '../../../domain/values/url.ts';
import { KINDS, type Cells, type CellKind, type Column } from './shopify-columns.ts';

interface Reader<T> {
  /** Null for what cannot be meant. */
  readonly parse: (given: string) => T | null;
  readonly rule: string;
  /** Says how to write it instead, where that is known. */
  readonly hint?: (given: string) => string;
}

const within = (pattern: RegExp) => (given: string) =>
  pattern.test(given) && Math.abs(Number(given)) <= MAX_INT32 ? Number(given) : null;

const MAX_NUMBER = 40;

/** A number with a decimal comma, with separators of thousands, or beside a currency. */
const isFormatted = (given: string): boolean =>
  given.length <= MAX_NUMBER &&
  /^[\s\p{Sc}\p{L}\d.,'’-]*$/u.test(given) &&
  /\d/.test(given) &&
  /[^\d.-]/.test(given) &&
  !/\d\p{L}+\d/u.test(given);

const withPoint = (given: string): string =>
  isFormatted(given) ? ' Write a decimal point and no other signs, such as 12.50.' : '';

const SEVERAL_ADDRESSES = /[\s,;|]https?:\/\//i;

const addressHint = (given: string): string => {
  if (SEVERAL_ADDRESSES.test(given)) return ' The cell has several addresses: give each image a row of its own.';
  return /\s/.test(given) ? ' Write %20 for a blank.' : '';
};

const oneOf = <T>(words: Readonly<Record<string, T>>, rule: string): Reader<T> => ({
  parse: (given) => (Object.hasOwn(words, given.toLowerCase()) ? (words[given.toLowerCase()] ?? null) : null),
  rule,
});

/** Readers of each kind of cell. A word that no vocabulary has is a fault, and never taken as not said. */
const READERS = {
  price: { parse: parsePrice, rule: PRICE_RULE, hint: withPoint } satisfies Reader<number>,
  amount: { parse: within(/^\d+(\.\d+)?$/), rule: 'must be a number such as 12.50', hint: withPoint } satisfies Reader<number>,
  whole: { parse: within(/^-?\d+(?:\.0+)?$/), rule: 'must be a whole number' } satisfies Reader<number>,
  webUrl: {
    parse: (given: string) => (isWebUrl(given) && !SEVERAL_ADDRESSES.test(given) ? given : null),
    rule: WEB_URL_RULE,
    hint: addressHint,
  } satisfies Reader<string>,
  yesNo: oneOf({ true: 'yes', 1: 'yes', false: 'no', 0: 'no' } as const, 'must be true or false'),
  status: oneOf(
    { active: 'Active', draft: 'Draft', archived: 'Archived', unlisted: 'Unlisted' } as const,
    'must be active, draft, archived or unlisted',
  ),
} satisfies Readonly<Record<Exclude<CellKind, 'text'>, Reader<unknown>>>;

type Kind = keyof typeof READERS;
type TypedColumn = { [C in Column]: (typeof KINDS)[C] extends Kind ? C : never }[Column];
type ValueOf<C extends TypedColumn> = NonNullable<ReturnType<(typeof READERS)[(typeof KINDS)[C]]['parse']>>;

export type ReadCell = <C extends TypedColumn>(column: C) => ValueOf<C> | undefined;

const quoted = (text: string): string => JSON.stringify(text.slice(0, 40));

/** Reads cells by their kind; what is wrong with them is added to `faults`. Undefined for a blank cell and a bad one. */
export const cellReader =
  ({ spelt }: Pick<Cells, 'spelt'>, faults: string[]): ReadCell =>
  (column) => {
    const given = spelt(column);
    if (given === undefined) return undefined;
    const { parse, rule, hint }: Reader<unknown> = READERS[KINDS[column]];
    const value = parse(given);
    if (value === null) faults.push(`${column} ${quoted(given)} ${rule}.${hint?.(given) ?? ''}`);
    return (value ?? undefined) as ValueOf<typeof column> | undefined;
  };
