import { MAX_PASSKEYS, SIGN_IN_KINDS } from '../../../domain/identity/sign-in-method.ts';
import type { NewSignInMethod, SignInMethods } from '../../../domain/ports/identity/sign-in-methods.ts';
import type { Database } from '../connection/database.ts';
import { bytesOfHex } from '../connection/hex.ts';
import { oneOf } from '../connection/sql-types.ts';
import { statement } from '../connection/statement.ts';

const COLUMNS = `id, kind, name, iso(created_at) AS "createdAt", iso(last_used_at) AS "lastUsedAt"`;
const ROW = {
  id: 'uuid',
  kind: oneOf('text', SIGN_IN_KINDS),
  name: 'text',
  createdAt: 'text',
  lastUsedAt: 'text?',
} as const;

/** The additions of an operator follow one after the other, and come wholly before or after the operator's end. */
const LOCK = statement({
  text: 'SELECT id FROM operators WHERE id = $operatorId AND ended_at IS NULL FOR NO KEY UPDATE',
  parameters: { operatorId: 'uuid' },
  row: { id: 'uuid' },
});

const COUNT_PASSKEYS = statement({
  text: `SELECT count(*)::int AS total FROM sign_in_methods WHERE operator_id = $operatorId AND kind = 'passkey'`,
  parameters: { operatorId: 'uuid' },
  row: { total: 'int4' },
});

const ADD = statement({
  text: `
    INSERT INTO sign_in_methods (id, operator_id, kind, name, key, issuer, public_key, counter, transports)
    VALUES ($id, $operatorId, $kind, $name, $key, $issuer, $publicKey, $counter, $transports)
    ON CONFLICT DO NOTHING RETURNING ${COLUMNS}`,
  parameters: {
    id: 'uuid',
    operatorId: 'uuid',
    kind: 'text',
    name: 'text',
    key: 'bytea',
    issuer: 'text?',
    publicKey: 'bytea?',
    counter: 'int8',
    transports: 'text[]',
  },
  row: ROW,
});

const LIST = statement({
  text: `SELECT ${COLUMNS} FROM sign_in_methods WHERE operator_id = $operatorId ORDER BY created_at, id`,
  parameters: { operatorId: 'uuid' },
  row: ROW,
});

const PASSKEYS = statement({
  text: `
    SELECT encode(key, 'hex') AS key, transports FROM sign_in_methods
    WHERE operator_id = $operatorId AND kind = 'passkey' ORDER BY created_at, id`,
  parameters: { operatorId: 'uuid' },
  row: { key: 'text', transports: 'text[]!' },
});

const FIND = statement({
  text: `
    SELECT m.id, m.name, iso(m.last_used_at) AS "lastUsedAt", m.operator_id AS "operatorId", encode(m.public_key, 'hex') AS "publicKey", m.counter
    FROM sign_in_methods m JOIN operators o ON o.id = m.operator_id
    WHERE m.kind = $kind AND m.key = $key AND o.ended_at IS NULL`,
  parameters: { kind: 'text', key: 'bytea' },
  row: { id: 'uuid', name: 'text', lastUsedAt: 'text?', operatorId: 'uuid', publicKey: 'text?', counter: 'int8' },
});

/** Equals countsUp of the domain, in one statement: of two uses at once, one at most is not a copy. */
const USE = statement({
  text: `
    UPDATE sign_in_methods SET last_used_at = clock_timestamp(), counter = $counter
    WHERE id = $id AND (counter < $counter OR (counter = 0 AND $counter = 0))`,
  parameters: { id: 'uuid', counter: 'int8' },
});

const REMOVE = statement({
  text: 'DELETE FROM sign_in_methods WHERE id = $id AND operator_id = $operatorId',
  parameters: { id: 'uuid', operatorId: 'uuid' },
});

const OF_NO_PASSKEY = { publicKey: null, counter: 0, transports: [] };

const valuesOf = (method: NewSignInMethod) => {
  const { id, operatorId, kind, name } = method;
  const given = { id, operatorId, kind, name, key: bytesOfHex(method.key) };
  if (method.kind === 'provider') return { ...given, ...OF_NO_PASSKEY, issuer: method.issuer };
  const { publicKey, counter, transports } = method;
  return { ...given, issuer: null, publicKey: bytesOfHex(publicKey), counter, transports };
};

export const signInMethods = (database: Database): SignInMethods => ({
  add: (method) =>
    database.transaction(async (sql) => {
      const { operatorId } = method;
      if ((await sql.rows(LOCK, { operatorId })).length === 0) return null;
      if (method.kind === 'passkey') {
        const [count] = await sql.rows(COUNT_PASSKEYS, { operatorId });
        if ((count?.total ?? 0) >= MAX_PASSKEYS) return 'too_many';
      }
      return (await sql.rows(ADD, valuesOf(method)))[0] ?? 'taken';
    }),
  list: (operatorId) => database.rows(LIST, { operatorId }),
  passkeys: (operatorId) => database.rows(PASSKEYS, { operatorId }),
  find: async (kind, key) => {
    const [row] = await database.rows(FIND, { kind, key: bytesOfHex(key) });
    return row ? { ...row, counter: Number(row.counter) } : null;
  },
  use: async (id, counter) => (await database.execute(USE, { id, counter })) > 0,
  remove: async (operatorId, id) => (await database.execute(REMOVE, { operatorId, id })) > 0,
});
