import { REFUSAL_PREFIX } from '../../../domain/insight/audit-refusal.ts';
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

/** The condition is that of the index audit_log_refused_idx. */
const REFUSED = `a.content LIKE '${REFUSAL_PREFIX}%'`;

const listWhere = (condition: string): string => `
  SELECT ${COLUMNS} FROM audit_log a LEFT JOIN audit_log d ON d.store_id = a.store_id AND d.answers = a.id
  WHERE ${condition} AND a.answers IS NULL AND ($operatorId::uuid IS NULL OR a.operator_id = $operatorId)
    AND ($since::timestamptz IS NULL OR a.at >= $since) AND ($after::uuid IS NULL OR a.id < $after)
  ORDER BY a.id DESC LIMIT $take`;

const OF_STORE = 'a.store_id = $storeId';
const STORE_FROM = { storeId: 'uuid', ...FROM } as const;

export const LIST_OF_STORE = statement({ text: listWhere(OF_STORE), parameters: STORE_FROM, row: ROW });
export const LIST_REFUSED_OF_STORE = statement({
  text: listWhere(`${OF_STORE} AND ${REFUSED}`),
  parameters: STORE_FROM,
  row: ROW,
});
export const LIST_OF_ALL = statement({ text: listWhere('true'), parameters: FROM, row: ROW });
export const LIST_REFUSED_OF_ALL = statement({ text: listWhere(REFUSED), parameters: FROM, row: ROW });

/** A row for each kind: its present hour alone. */
export const COUNT_REFUSED = statement({
  text: `
    INSERT INTO audit_refusals AS c (kind, hour, listed, refused) VALUES ($kind, $hour, $listed, $refused)
    ON CONFLICT (kind) DO UPDATE SET hour = greatest(c.hour, EXCLUDED.hour),
      listed = CASE WHEN c.hour < EXCLUDED.hour THEN 0 ELSE c.listed END + EXCLUDED.listed,
      refused = CASE WHEN c.hour < EXCLUDED.hour THEN 0 ELSE c.refused END + EXCLUDED.refused
    RETURNING listed::float8 AS listed, refused::float8 AS refused`,
  parameters: { kind: 'text', hour: 'timestamptz', listed: 'int8', refused: 'int8' },
  row: { listed: 'float8', refused: 'float8' },
});

const OLD = olderThan('audit_log', 'at');
export const PURGE_AUDIT = { find: statement(findOldest(OLD)), end: statement(removal(OLD)) };
