/** The names of the entries. `tar -tzf` lists them. */
export const MANIFEST = 'manifest.json';
export const FOOTER = 'footer.json';

/** COPY gives no length in advance, so the rows of a table are in parts of this size. */
export const PART_BYTES = 1_048_576;
/** What is read, written and compressed at once. */
export const CHUNK_BYTES = 262_144;

const PARTS = 999_999;

export const partName = (table: string, part: number): string => {
  if (part > PARTS) throw new Error(`The table ${table} is too large for an archive`);
  return `tables/${table}/${String(part).padStart(6, '0')}.copy`;
};

/** The table of a part. Null for any other entry. */
export const tableOfPart = (name: string): string | null => /^tables\/(\w+)\/\d{6}\.copy$/.exec(name)?.[1] ?? null;

export const mediaName = (key: string): string => `media/${key}`;

/** The key of a media file. Null for any other entry. */
export const keyOfMedia = (name: string): string | null => /^media\/(.+)$/.exec(name)?.[1] ?? null;
