import { isOwnerOfSomeStores, ROLES, type Operator } from '../../../domain/identity/operator.ts';
import { placedPageOf } from '../../../domain/page.ts';
import type { OperatorRepository } from '../../../domain/ports/identity/operator-repository.ts';
import type { Database } from '../connection/database.ts';
import { isBehind, PAGE_PARAMETERS, pageClause, pageValues } from '../connection/list-page.ts';
import { isUniqueViolation } from '../connection/savepoint.ts';
import { oneOf } from '../connection/sql-types.ts';
import { statement } from '../connection/statement.ts';

const COLUMNS = `id, name, email, role, store_ids AS "storeIds", iso(created_at) AS "createdAt", iso(ended_at) AS "endedAt"`;
const ROW = {
  id: 'uuid',
  name: 'text',
  email: 'text?',
  role: oneOf('text', ROLES),
  storeIds: 'uuid[]?',
  createdAt: 'text',
  endedAt: 'text?',
} as const;
const FIELDS = { id: 'uuid', name: 'text', email: 'text?', role: 'text', storeIds: 'uuid[]?' } as const;

const CREATE = statement({
  text: `INSERT INTO operators (id, name, email, role, store_ids) VALUES ($id, $name, $email, $role, $storeIds) RETURNING ${COLUMNS}`,
  parameters: FIELDS,
  row: ROW,
});

const GET = statement({ text: `SELECT ${COLUMNS} FROM operators WHERE id = $id`, parameters: { id: 'uuid' }, row: ROW });

const WITH_EMAIL = statement({
  text: `SELECT ${COLUMNS} FROM operators WHERE lower(email) = lower($email) AND ended_at IS NULL ORDER BY created_at, id`,
  parameters: { email: 'text' },
  row: ROW,
});

const LOCK = statement({
  text: `SELECT ${COLUMNS} FROM operators WHERE id = $id AND ended_at IS NULL FOR NO KEY UPDATE`,
  parameters: { id: 'uuid' },
  row: ROW,
});

const LIST = statement({
  text: `SELECT ${COLUMNS} FROM operators o WHERE ${isBehind('o')} ${pageClause('o')}`,
  parameters: PAGE_PARAMETERS,
  row: ROW,
});

const COUNT = statement({ text: 'SELECT count(*)::int AS total FROM operators', row: { total: 'int4' } });

const UPDATE = statement({
  text: `
    UPDATE operators SET name = $name, email = $email, role = $role, store_ids = $storeIds WHERE id = $id
    RETURNING ${COLUMNS}`,
  parameters: FIELDS,
  row: ROW,
});

const END = statement({
  text: `
    WITH ended AS (
      UPDATE operators SET ended_at = clock_timestamp() WHERE id = $id AND ended_at IS NULL RETURNING id),
    tokens AS (DELETE FROM operator_tokens t USING ended e WHERE t.operator_id = e.id),
    methods AS (DELETE FROM sign_in_methods m USING ended e WHERE m.operator_id = e.id)
    DELETE FROM console_sessions s USING ended e WHERE s.operator_id = e.id`,
  parameters: { id: 'uuid' },
});

const nameTaken = (error: unknown): 'name_taken' => {
  if (isUniqueViolation(error)) return 'name_taken';
  throw error;
};

const written = ([row]: readonly Operator[]): Operator => {
  if (!row) throw new Error('A write of an operator returned no row.');
  return row;
};

export const operatorRepository = (database: Database): OperatorRepository => ({
  create: (operator) => database.rows(CREATE, operator).then(written, nameTaken),
  get: async (id) => (await database.rows(GET, { id }))[0] ?? null,
  withEmail: (email) => database.rows(WITH_EMAIL, { email }),
  list: async (page) => {
    const [rows, [count]] = await Promise.all([database.rows(LIST, pageValues(page)), database.rows(COUNT)]);
    return placedPageOf(rows, page, count?.total ?? 0);
  },
  update: (id, { name, email, role, storeIds }) =>
    database
      .transaction(async (sql) => {
        const [present] = await sql.rows(LOCK, { id });
        if (!present) return null;
        const changed = {
          id,
          name: name ?? present.name,
          email: email === undefined ? present.email : email,
          role: role ?? present.role,
          storeIds: storeIds === undefined ? present.storeIds : storeIds,
        };
        return isOwnerOfSomeStores(changed) ? 'limited_owner' : written(await sql.rows(UPDATE, changed));
      })
      .catch(nameTaken),
  end: async (id) => {
    await database.execute(END, { id });
    return (await database.rows(GET, { id }))[0] ?? null;
  },
});
