import type { Operator } from '../../domain/identity/operator.ts';
import type { OperatorChanges } from '../../domain/ports/identity/operator-repository.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { notFound, ok, type Result } from '../../domain/result.ts';
import { HAS_ENDED } from './create-console-code.ts';
import { LIMITED_OWNER, nameTaken, storesRefusal } from './operator-stores.ts';

/** The new role and stores apply from the next request on every node. */
export const updateOperator =
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
