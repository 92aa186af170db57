import pg from 'pg';

import type { AdmittedCaller } from '../../../../src/domain/identity/caller.ts';
import type { Ports } from '../../../../src/domain/ports/index.ts';

/** Bugs of what keeps documents, to see that the campaign notices each. */
export const BUGS = ['nested-rows', 'category', 'tax-class', 'never-asks', 'shared-page', 'kept-page', 'kept-token'] as const;
export type Bug = (typeof BUGS)[number];

/** Keeps the revision of a row although it is written, unless the condition is false. */
const keepingRevision = (table: string, condition: string): string => `
  CREATE FUNCTION keep_revision() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN IF ${condition} THEN NEW.revision := OLD.revision; END IF; RETURN NEW; END';
  CREATE TRIGGER keep_revision BEFORE UPDATE ON ${table} FOR EACH ROW EXECUTE FUNCTION keep_revision()`;

const SHOWN = ['name', 'slug', 'status', 'meta_title', 'category_id', 'deleted_at'];
const rowOf = (name: string): string => `(${SHOWN.map((column) => `${name}.${column}`).join()})`;

/** The versions that do not change, as SQL for the campaign's database. */
export const PLANTED_SQL: Readonly<Partial<Record<Bug, string>>> = {
  'nested-rows': keepingRevision('products', `${rowOf('NEW')} IS NOT DISTINCT FROM ${rowOf('OLD')}`),
  category: keepingRevision('categories', 'true'),
  'tax-class': keepingRevision('tax_classes', 'true'),
};

const neverAsks = ({ productReader }: Ports): Ports['productReader'] => {
  const kept = new Map<string, ReturnType<typeof productReader.detail>>();
  return {
    ...productReader,
    detail: (storeId, id) => {
      const document = kept.get(id) ?? productReader.detail(storeId, id);
      kept.set(id, document);
      return document;
    },
  };
};

const REVISIONS = 'SELECT md5(string_agg(concat(id, revision), NULL ORDER BY id)) AS revisions FROM products WHERE store_id = $1';

/** A page that is under way is shared by the ids and revisions of its products, without its store. */
const sharedPage = ({ productReader }: Ports): Ports['productReader'] => {
  const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 4, allowExitOnIdle: true });
  const underWay = new Map<string, ReturnType<typeof productReader.list>>();
  return {
    ...productReader,
    list: async (storeId, page, filter) => {
      const { rows } = await pool.query(REVISIONS, [storeId]);
      const key = JSON.stringify([page, filter, rows]);
      const shared = underWay.get(key);
      if (shared) return shared;
      const own = productReader.list(storeId, page, filter).finally(() => underWay.delete(key));
      underWay.set(key, own);
      return own;
    },
  };
};

/** A page is kept by its place alone, without its store and what changed since. */
const keptPage = ({ productReader }: Ports): Ports['productReader'] => {
  const kept = new Map<string, ReturnType<typeof productReader.list>>();
  return {
    ...productReader,
    list: (storeId, page, filter) => {
      const key = JSON.stringify([page, filter]);
      const document = kept.get(key) ?? productReader.list(storeId, page, filter);
      kept.set(key, document);
      return document;
    },
  };
};

/** Who called once may call again. */
const keptToken = ({ admission }: Ports): Ports['admission'] => {
  const callers = new Map<string, AdmittedCaller>();
  return {
    ...admission,
    authenticate: async (hash, ...given) => {
      const found = await admission.authenticate(hash, ...given);
      if (found.ok) callers.set(hash, found.caller);
      const caller = callers.get(hash);
      return caller && !found.ok ? { ok: true, caller, known: null } : found;
    },
  };
};

/** The ports with this bug in them. */
export const withBug = (ports: Ports, plant: string): Ports => {
  if (plant === 'kept-token') return { ...ports, admission: keptToken(ports) };
  if (plant === 'shared-page') return { ...ports, productReader: sharedPage(ports) };
  if (plant === 'kept-page') return { ...ports, productReader: keptPage(ports) };
  return plant === 'never-asks' ? { ...ports, productReader: neverAsks(ports) } : ports;
};
