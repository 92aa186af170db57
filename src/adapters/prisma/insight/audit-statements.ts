import { findOldest, olderThan, removal } from '../connection/purge.ts';
import { statement } from '../connection/statement.ts';
import { chained } from '../work/audit-chain.ts';

const GIVEN: Readonly<Record<string, string>> = {
  number: '(number + 1)::text',
  store_id: '$storeId::uuid::text',
  id: '$id::uuid::text',
  at: '$at::timestamptz(3)',
  operator_id: '$operatorId::uuid',
  answers: '$answers::uuid',
  content: '$content::text',
};
/**
 * The commit does not wait for the disk or a standby: the log is written in its order, so the commit of
 * the change, which waits, takes the entry before it along.
 */
export const NO_WAIT = statement({ text: 'SET LOCAL synchronous_commit = off' });

export const BEGIN_CHAIN = statement({
  text: `INSERT INTO audit_heads (store_id, number, hash) VALUES ($storeId, 0, '') ON CONFLICT DO NOTHING`,
  parameters: { storeId: 'uuid' },
});

const ENTRY = { storeId: 'uuid', id: 'uuid', at: 'timestamptz', operatorId: 'uuid?', answers: 'uuid?', content: 'text' } as const;

/** The row of the head is locked until the commit, so that the entries of a store have an order. */
export const MOVE_HEAD = statement({
  text: `
    UPDATE audit_heads SET number = number + 1, hash = ${chained('hash', (column) => GIVEN[column] ?? '')}
    WHERE store_id = $storeId`,
  parameters: ENTRY,
});

export const APPEND = statement({
  text: `
    INSERT INTO audit_log (store_id, number, id, at, operator_id, answers, content, hash)
    SELECT h.store_id, h.number, $id, $at, $operatorId, $answers, $content, h.hash FROM audit_heads h WHERE h.store_id = $storeId`,
  parameters: ENTRY,
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

const OLD = olderThan('audit_log', 'at');
export const PURGE = { find: statement(findOldest(OLD)), end: statement(removal(OLD)) };
