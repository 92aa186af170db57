import { purgeOfOld } from '../connection/purge.ts';
import { statement } from '../connection/statement.ts';
import { chained } from '../work/audit-chain.ts';

const GIVEN: Readonly<Record<string, string>> = {
  store_id: '$storeId::uuid::text',
  id: '$id::uuid::text',
  at: '$at::timestamptz(3)',
  operator_id: '$operatorId::uuid',
  answers: '$answers::uuid',
  content: '$content::text',
};
const given =
  (number: string) =>
  (column: string): string =>
    column === 'number' ? `(${number})::text` : (GIVEN[column] ?? '');

/**
 * The row of the head is locked until the commit, so that the entries of a store have an order. The commit does not wait for the disk or
 * a standby: the log is written in its order, so the commit of the change, which waits, takes the entry before it along.
 */
export const APPEND = statement({
  text: `
    WITH head AS (
      INSERT INTO audit_heads AS h (store_id, number, hash) VALUES ($storeId, 1, ${chained("'\\x'::bytea", given('1'))})
      ON CONFLICT (store_id) DO UPDATE SET number = h.number + 1, hash = ${chained('h.hash', given('h.number + 1'))}
      RETURNING h.number, h.hash)
    INSERT INTO audit_log (store_id, number, id, at, operator_id, answers, content, hash)
    SELECT $storeId, number, $id, $at, $operatorId, $answers, $content, hash FROM head
    WHERE set_config('synchronous_commit', 'off', true) = 'off'`,
  parameters: { storeId: 'uuid', id: 'uuid', at: 'timestamptz', operatorId: 'uuid?', answers: 'uuid?', content: 'text' },
});

const COLUMNS = `a.id, a.store_id AS "storeId", a.number::float8 AS number, iso(a.at) AS at, a.operator_id AS "operatorId", a.content,
  encode(a.hash, 'hex') AS hash, iso(d.at) AS "answeredAt", d.content AS answer`;
const MATCHING = `a.answers IS NULL AND ($operatorId::uuid IS NULL OR a.operator_id = $operatorId)
  AND ($since::timestamptz IS NULL OR a.at >= $since) AND ($after::uuid IS NULL OR a.id < $after)
  ORDER BY a.id DESC LIMIT $take`;
const FROM = { operatorId: 'uuid?', since: 'timestamptz?', after: 'uuid?', take: 'int8' } as const;
const ROW = {
  id: 'uuid',
  storeId: 'uuid',
  number: 'float8',
  at: 'text',
  operatorId: 'uuid?',
  content: 'text',
  hash: 'text',
  answeredAt: 'text?',
  answer: 'text?',
} as const;

export const LIST_OF_STORE = statement({
  text: `
    SELECT ${COLUMNS} FROM audit_log a LEFT JOIN audit_log d ON d.store_id = a.store_id AND d.answers = a.id
    WHERE a.store_id = $storeId AND ${MATCHING}`,
  parameters: { storeId: 'uuid', ...FROM },
  row: ROW,
});

export const LIST_OF_ALL = statement({
  text: `
    SELECT ${COLUMNS} FROM audit_log a LEFT JOIN audit_log d ON d.store_id = a.store_id AND d.answers = a.id
    WHERE ${MATCHING}`,
  parameters: FROM,
  row: ROW,
});

export const PURGE = statement(purgeOfOld('audit_log', 'at'));
