import { z } from 'zod';

/** The version of the file format. A change that an older reader would misread raises it. */
const FORMAT_VERSION = 1;

const digest = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.int().min(0);

/** The first entry of an archive: what is in it and what it needs. */
export const manifestSchema = z.object({
  format: z.literal('tenon-archive'),
  version: z.literal(FORMAT_VERSION),
  tenon: z.string(),
  createdAt: z.iso.datetime(),
  /** The store of an export. Null for a backup, which has all stores. */
  store: z.object({ id: z.guid(), domain: z.string() }).nullable(),
  /** The schema: what was applied to the database, in order. */
  migrations: z.array(z.object({ name: z.string(), checksum: digest })),
  /** In the order in which foreign keys allow to write them. */
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()).min(1) })),
  sequences: z.array(z.object({ name: z.string(), last: z.string().regex(/^\d{1,19}$/) })),
  /** The keys of SECRET_KEYS that open its secrets. `check` shows whether a key is the same one. */
  keys: z.array(z.object({ kid: z.string(), check: digest })).min(1),
  media: z.boolean(),
});

/** The last entry: what a reader must have seen before it. */
export const footerSchema = z.object({
  /** SHA-256 of the manifest. */
  manifest: digest,
  tables: z.array(z.object({ name: z.string(), rows: count, bytes: count, sha256: digest })),
  media: count,
});

export type ArchiveManifest = z.output<typeof manifestSchema>;
export type Footer = z.output<typeof footerSchema>;
export type TableFigures = Footer['tables'][number];

export const formatSchema = z.object({ format: z.literal('tenon-archive'), version: z.int(), tenon: z.string() });

export const isNewer = ({ version }: z.output<typeof formatSchema>): boolean => version > FORMAT_VERSION;

export const formatOfThisVersion = { format: 'tenon-archive', version: FORMAT_VERSION } as const;
