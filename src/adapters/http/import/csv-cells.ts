import Papa from 'papaparse';

/** By how common they are. */
export const SEPARATORS = [',', ';', '\t'] as const;

/**
 * The cells of a row without its line end, whose quotes are sound. A closing quote may have blanks
 * behind it.
 */
export const cellsOf = (text: string, separator: string): readonly string[] => {
  if (!text.includes('"')) return text.split(separator);
  // The library knows blanks behind a quote only in front of a separator or a line end.
  const parser = new Papa.Parser({ delimiter: separator, newline: '\n' });
  const { data } = parser.parse(`${text}\n`, 0, false) as Papa.ParseResult<string[]>;
  return data[0] ?? [];
};

export const separatorOf = (header: string): string => {
  const plain = header.replace(/"[^"]*"/g, '');
  const counts = SEPARATORS.map((separator) => ({ separator, count: plain.split(separator).length }));
  const [best] = counts.sort((a, b) => b.count - a.count);
  return best?.separator ?? ',';
};
