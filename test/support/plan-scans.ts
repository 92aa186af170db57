import type { AnySql } from './postgres.ts';

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Filter?: string;
  readonly Plans?: readonly PlanNode[];
}

interface Index {
  readonly table: string;
  readonly name: string;
  readonly isUnique: boolean;
  readonly columns: readonly string[];
}

/** Describes reads of a plan beyond its needs. */
export type Wasteful = (plan: PlanNode) => string[];

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

const names = (text: string | undefined, column: string): boolean => new RegExp(`\\b${column}\\b`).test(text ?? '');
/** `(id = $1)`, also with the name of its table, and not `(id <> $1)`. */
const equals = (text: string | undefined, column: string): boolean => new RegExp(`\\b${column}"? = `).test(text ?? '');

/**
 * Judges plans by the indexes of the database: a scan of a whole table or of a whole index, one of a
 * whole store, and a look-up by a key that uses only a part of the key.
 */
export const readWasteful = async (database: AnySql): Promise<Wasteful> => {
  const indexes = await database.query<Index>(
    `SELECT i.indrelid::regclass::text AS table, i.indexrelid::regclass::text AS name, i.indisunique AS "isUnique",
       ARRAY(SELECT a.attname::text FROM pg_attribute a WHERE a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)) AS columns
     FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid WHERE c.relnamespace = 'public'::regnamespace AND c.relname !~ '^_'`,
  );
  const byName = new Map(indexes.map((index) => [index.name, index]));
  const faultOf = (node: PlanNode): string | null => {
    const table = node['Relation Name'];
    if (node['Node Type'] === 'Seq Scan') return indexes.some((index) => index.table === table) ? `reads ${String(table)}` : null;
    const index = byName.get(node['Index Name'] ?? '');
    if (!index) return null;
    const used = index.columns.filter((column) => names(node['Index Cond'], column));
    if (used.length === 0) return `reads all of ${index.name}`;
    const keys = indexes.filter((other) => other.table === index.table && other.isUnique).map(({ columns }) => columns);
    if (keys.some((key) => key.every((column) => used.includes(column)))) return null;
    const half = keys.find((key) => key.every((column) => used.includes(column) || equals(node.Filter, column)));
    if (half) return `looks up ${index.table} by ${used.join()} of the key ${half.join()}`;
    return used.join() === 'store_id' ? `reads a store of ${index.name}` : null;
  };
  return (plan) => nodesOf(plan).flatMap((node) => faultOf(node) ?? []);
};
