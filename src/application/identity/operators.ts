import { isOwnerOfSomeStores, type Operator, type OperatorToken } from '../../domain/identity/operator.ts';
import type { PlacedPage } from '../../domain/page.ts';
import type { OperatorChanges } from '../../domain/ports/identity/operator-repository.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { refuse, type Refusal, ok, type Result, notFound, orNotFound } from '../../domain/result.ts';
import { HAS_ENDED, inviteOperator } from './create-console-code.ts';
import { newCredential } from './new-credential.ts';

const LIMITED_OWNER = refuse('conflict', 'An owner has access to all stores. Set storeIds to null, or choose another role.');

const nameTaken = (name: string): Refusal<'conflict'> =>
  refuse('conflict', `Another operator has the name ${name}. Choose another name.`);

/** Returns the reason why nobody can have this role on these stores; null where somebody can. */
const storesRefusal = async (
  { stores }: Pick<Ports, 'stores'>,
  { role, storeIds }: Pick<OperatorChanges, 'role' | 'storeIds'>,
): Promise<Refusal<'conflict'> | null> => {
  if (!storeIds) return null;
  if (role !== undefined && isOwnerOfSomeStores({ role, storeIds })) return LIMITED_OWNER;
  const { items } = await stores.list({ skip: 0, take: storeIds.length }, { ids: storeIds });
  const unknown = storeIds.find((id) => items.every((store) => store.id !== id));
  return unknown === undefined ? null : refuse('conflict', `There is no store ${unknown}.`);
};

type OperatorInput = Pick<Operator, 'name' | 'email' | 'role' | 'storeIds'>;

const createOperator =
  ({ ids, operators, stores }: Pick<Ports, 'ids' | 'operators' | 'stores'>) =>
  async (given: OperatorInput): Promise<Result<Operator, 'conflict'>> => {
    const refusal = await storesRefusal({ stores }, given);
    if (refusal) return refusal;
    const operator = await operators.create({ id: ids.next(), ...given });
    return operator === 'name_taken' ? nameTaken(given.name) : ok(operator);
  };

/** The only place where the token can be read: only its hash is kept. */
interface IssuedOperatorToken extends OperatorToken {
  readonly token: string;
}

const issueOperatorToken =
  ({ ids, operators, operatorTokens, secrets }: Pick<Ports, 'ids' | 'operators' | 'operatorTokens' | 'secrets'>) =>
  async (
    operatorId: string,
    { name, expiresAt }: Pick<OperatorToken, 'name' | 'expiresAt'>,
  ): Promise<Result<IssuedOperatorToken, 'not_found' | 'conflict'>> => {
    const token = newCredential(secrets, 'operatorToken');
    const issued = await operatorTokens.issue({ id: ids.next(), operatorId, name, hash: secrets.sha256(token), expiresAt });
    if (issued !== null) return ok({ ...issued, token });
    return (await operators.get(operatorId)) === null ? notFound('Operator') : HAS_ENDED;
  };

/** The new role and stores apply from the next request on every node. */
const updateOperator =
  ({ operators, stores }: Pick<Ports, 'operators' | 'stores'>) =>
  async (id: string, changes: OperatorChanges): Promise<Result<Operator, 'not_found' | 'conflict'>> => {
    const refusal = await storesRefusal({ stores }, changes);
    if (refusal) return refusal;
    const operator = await operators.update(id, changes);
    if (operator === 'name_taken') return nameTaken(changes.name ?? '');
    if (operator === 'limited_owner') return LIMITED_OWNER;
    if (operator !== null) return ok(operator);
    return (await operators.get(id)) === null ? notFound('Operator') : HAS_ENDED;
  };

/** The people and machines beside the holder of the admin token, and their ways in. */
export const operatorUses = (ports: Ports, adminToken: string) => {
  const { consoleSessions, operators, operatorTokens, secrets } = ports;
  return {
    createOperator: createOperator(ports),
    /** Ends the operator for good, from the next request on every node. */
    endOperator: orNotFound('Operator', operators.end),
    endConsoleSession: async (id: string): Promise<Result<null, 'not_found'>> =>
      (await consoleSessions.endById(id)) ? ok(null) : notFound('Session'),
    getOperator: orNotFound('Operator', operators.get),
    inviteOperator: inviteOperator(ports, adminToken),
    issueOperatorToken: issueOperatorToken(ports),
    listConsoleSessions: async () => ok(await consoleSessions.list(secrets.hashClientSecret(adminToken))),
    listOperators: async (page: PlacedPage) => ok(await operators.list(page)),
    listOperatorTokens: async (operatorId: string): Promise<Result<readonly OperatorToken[], 'not_found'>> =>
      (await operators.get(operatorId)) === null ? notFound('Operator') : ok(await operatorTokens.list(operatorId)),
    revokeOperatorToken: async (operatorId: string, id: string): Promise<Result<null, 'not_found'>> =>
      (await operatorTokens.revoke(operatorId, id)) ? ok(null) : notFound('Token'),
    updateOperator: updateOperator(ports),
  };
};
