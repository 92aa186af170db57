export const ARCHIVE_MANIFEST = 'manifest.json';
export const FOOTER = 'footer.json';

/** A snapshot gives no length in advance, so the rows of a table are in parts of this size. */
export const PART_BYTES = 1_048_576;
export const ARCHIVE_CHUNK_BYTES = 262_144;

const PARTS = 999_999;

export const partName = (table: string, part: number): string => {
  if (part > PARTS) throw new Error(`The table ${table} is too large for an archive`);
  return `tables/${table}/${String(part).padStart(6, '0')}.copy`;
};

export const tableOfPart = (name: string): string | null => /^tables\/(\w+)\/\d{6}\.copy$/.exec(name)?.[1] ?? null;

export const mediaName = (key: string): string => `media/${key}`;

export const keyOfMedia = (name: string): string | null => /^media\/(.+)$/.exec(name)?.[1] ?? null;
