import type { Operation } from '../support/operations.ts';
import { TEXTS, textOf } from './texts.ts';

/** Differences of a request from a good one, in its head. */
export interface WorstHead {
  readonly what: string;
  readonly isShort?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  /** Without the question mark. */
  readonly query?: string;
  /** In the place of every id in the path. */
  readonly segment?: string;
}

/** Node refuses more than 16 KB of headers; the rest of them needs some. */
const HEAD_BYTES = 14_000;
const repeated = (text: string): string => text.repeat(Math.floor(HEAD_BYTES / text.length));

const header = (what: string, name: string, value: string, isShort = false): WorstHead => ({
  what: `${name}: ${what}`,
  isShort,
  headers: { [name]: value },
});

const typeHeads = (types: readonly string[]): WorstHead[] =>
  (types.length > 0 ? types : ['application/json']).flatMap((type) => [
    header('15 KB of blanks', 'content-type', `${type};${' '.repeat(HEAD_BYTES)}x`, true),
    header('15 KB of blanks before the semicolon', 'content-type', `${type}${' '.repeat(HEAD_BYTES)};x`),
    header('semicolons', 'content-type', `${type}${repeated(';')}`),
    header('blanks and semicolons', 'content-type', `${type}${repeated(' ;')}`),
    header('parameters', 'content-type', `${type}${repeated('; a=b')}`),
    header('a quoted parameter that never ends', 'content-type', `${type}; charset="${repeated('\\a')}`),
    header('a long charset', 'content-type', `${type}; charset=${repeated('a')}`),
  ]);

const HEADS: readonly WorstHead[] = [
  header('as long as it may be', 'idempotency-key', 'k'.repeat(255)),
  header('over long', 'idempotency-key', repeated('k')),
  header('blanks', 'idempotency-key', `k${repeated(' ')}k`),
  header('thousands of tags', 'if-none-match', repeated('"a", '), true),
  header('thousands of weak tags', 'if-none-match', repeated('W/"a",')),
  header('commas', 'if-none-match', repeated(',')),
  header('blanks', 'if-none-match', `"a"${repeated(' ')}x`),
  header('an open quote', 'if-none-match', `"${repeated('a')}`),
  header('thousands of ranges', 'range', `bytes=${repeated('0-0,')}0-0`),
  header('thousands of addresses', 'x-forwarded-for', `${repeated('1.2.3.4, ')}1.2.3.4`),
  header('commas', 'x-forwarded-for', repeated(',')),
  header('long', 'x-forwarded-host', repeated('a.')),
  header('thousands of types', 'accept', `${repeated('a/b;q=0.1,')}*/*`),
  header('thousands of codings', 'accept-encoding', `${repeated('br,')}gzip`),
  header('thousands of cookies', 'cookie', repeated('a=b; ')),
  header('blanks', 'content-encoding', `identity${repeated(' ')}x`),
  header('long', 'x-request-id', repeated('a')),
  header('long', 'traceparent', repeated('0')),
  header('labels', 'host', repeated('a.')),
  header('colons', 'host', repeated(':')),
  header('a long token', 'authorization', `Bearer tnn_at_${repeated('a')}`),
  header('blanks', 'authorization', `Bearer${repeated(' ')}x`),
  header('Basic of much', 'authorization', `Basic ${repeated('YTph')}`),
  {
    what: '1,000 headers',
    headers: Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`x-h${index}`, '1'])),
  },
];

const queriesOf = (name: string): WorstHead[] => {
  const query = (what: string, value: string, isShort = false): WorstHead => ({
    what: `?${name}=: ${what}`,
    isShort,
    query: value,
  });
  return [
    query('2,000 tokens', `${name}=${'a+'.repeat(2_000)}a`, true),
    query('7,000 tokens', `${name}=${repeated('a+')}`),
    query('2,000 different tokens', `${name}=${Array.from({ length: 2_000 }, (_, index) => index.toString(36)).join('+')}`),
    query(
      '2,000 times',
      Array.from({ length: 2_000 }, () => `${name}=1`)
        .join('&')
        .slice(0, HEAD_BYTES),
    ),
    query('wildcards', `${name}=${repeated('%25')}`),
    query('wildcards and letters', `${name}=${repeated('%25a_')}`),
    query('escaped backslashes', `${name}=${repeated('%5C')}`),
    query('emoji', `${name}=${repeated('%F0%9F%98%80')}`),
    ...TEXTS.filter(({ unit }) => !unit.startsWith('\\')).map((text) =>
      query(
        text.what,
        `${name}=${encodeURIComponent(textOf(text, HEAD_BYTES / 4))
          .slice(0, HEAD_BYTES)
          .replace(/%\w?$/, '')}`,
      ),
    ),
  ];
};

const paths: readonly WorstHead[] = [
  { what: 'a long id in the path', segment: repeated('a') },
  { what: 'hyphens in the path', segment: repeated('a-') },
  { what: 'combining marks in the path', segment: repeated('%CC%81') },
  { what: 'digits in the path', segment: repeated('1') },
];

/** Heads of each kind for an operation, with its own parameters. */
export const worstHeads = ({ path, parameters, bodies }: Operation): WorstHead[] => {
  const queries = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  const others = parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => name);
  return [
    { what: 'nothing unusual' },
    ...typeHeads(Object.keys(bodies)),
    ...queries.flatMap(queriesOf),
    { what: '?: 2,000 parameters that nobody knows', query: repeated('a=1&') },
    { what: '?: ampersands', query: repeated('&') },
    { what: '?: brackets', query: `a${repeated('[b]')}=1` },
    { what: '?: parameters of their own', query: Array.from({ length: 1_500 }, (_, index) => `k${index}=1`).join('&') },
    ...(path.includes('{') ? paths : []),
    ...others.flatMap((name) => [
      header('long', name.toLowerCase(), repeated('x')),
      header('blanks', name.toLowerCase(), `x${repeated(' ')}x`),
    ]),
    ...HEADS,
  ];
};
