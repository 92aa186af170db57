/**
 * A text that costs more than its length: `unit` is repeated up to the wanted size. JSON-safe as it
 * is.
 */
export interface Text {
  readonly what: string;
  readonly start?: string;
  readonly unit: string;
  readonly end?: string;
  /** In the short form too. */
  readonly isShort?: boolean;
}

export const TEXTS: readonly Text[] = [
  { what: 'one letter', unit: 'a' },
  // The canonical order of marks is sorted by insertion in most libraries.
  { what: 'combining marks out of order', start: 'a', unit: '\u0301\u0323' },
  { what: 'letters with a mark each', unit: 'a\u0301', isShort: true },
  { what: 'a ligature that unfolds into 18 letters', unit: '\ufdfa' },
  { what: 'Hangul syllables', unit: '각' },
  { what: 'blanks within', start: 'x', unit: ' ', end: 'x' },
  { what: 'blanks', unit: ' ' },
  { what: 'letters and hyphens', unit: 'a-' },
  { what: 'hyphens', unit: '-', end: 'a' },
  { what: 'digits', unit: '1' },
  { what: 'digits behind a point', start: '0.', unit: '1' },
  { what: 'emoji joined to families', unit: '👩‍👩‍👧‍👦' },
  { what: 'escapes', unit: '\\u0061' },
  { what: 'line feeds', unit: '\\n' },
  { what: 'quotes', unit: '\\"' },
  { what: 'open tags', unit: '<a ' },
  { what: 'a host of many labels', start: 'https://', unit: 'a.', end: 'com/' },
  { what: 'a host of umlauts', start: 'https://', unit: 'ü', end: '.de/' },
  { what: 'a path of escapes', start: 'https://example.com/', unit: '%41' },
  { what: 'a path of dots', start: 'https://example.com/', unit: '../' },
  { what: 'a user name of at signs', start: 'https://', unit: '@', end: 'example.com/' },
];

/** The text with as many units as fit into this many bytes. */
export const textOf = ({ start = '', unit, end = '' }: Text, bytes: number): string => {
  const rest = bytes - Buffer.byteLength(start) - Buffer.byteLength(end);
  return `${start}${unit.repeat(Math.max(1, Math.floor(rest / Buffer.byteLength(unit))))}${end}`;
};

/** Comma-separated items up to nearly this many bytes, at most `most` of them. */
export const listOf = (item: (index: number) => string, bytes: number, most = Infinity): string => {
  const items: string[] = [];
  let size = 0;
  for (let index = 0; index < most; index += 1) {
    const next = item(index);
    size += Buffer.byteLength(next) + 1;
    if (size > bytes) break;
    items.push(next);
  }
  return items.join(',');
};
