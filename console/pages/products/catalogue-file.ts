/** The formats that an import reads, by the ends of their names. */
const FORMATS = [
  { type: 'text/csv', name: 'Shopify export (CSV)', ends: ['.csv', '.txt', '.tsv'] },
  { type: 'application/x-ndjson', name: 'Product documents (NDJSON)', ends: ['.ndjson', '.jsonl', '.json'] },
] as const;

type Format = (typeof FORMATS)[number];

/** Files that the dialog offers. */
export const ACCEPT = '.csv,.ndjson,.jsonl,text/csv,application/x-ndjson';

/** The format of a file by its name; of a file with another name, by its first character. */
export const formatOf = async (file: File): Promise<Format> => {
  const name = file.name.toLowerCase();
  const named = FORMATS.find(({ ends }) => ends.some((end) => name.endsWith(end)));
  if (named) return named;
  const start = await file.slice(0, 16).text();
  return start.trimStart().startsWith('{') ? FORMATS[1] : FORMATS[0];
};

const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const;

/** Bytes in the unit that reads best: `3.2 MB`. */
export const sizeText = (bytes: number): string => {
  const step = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), UNITS.length - 1);
  const value = bytes / 1_000 ** step;
  return `${step === 0 || value >= 100 ? Math.round(value).toLocaleString() : value.toFixed(1)} ${UNITS[step]}`;
};

/** Offers a text as a file that the browser saves. */
export const saveAs = (name: string, type: string, text: string): void => {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
};
