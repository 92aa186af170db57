import type { Operator } from '../../domain/identity/operator.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { ok, type Result } from '../../domain/result.ts';
import { nameTaken, storesRefusal } from './operator-stores.ts';

export type OperatorInput = Pick<Operator, 'name' | 'email' | 'role' | 'storeIds'>;

export const createOperator =
  ({ ids, operators, stores }: Pick<Ports, 'ids' | 'operators' | 'stores'>) =>
  async (given: OperatorInput): Promise<Result<Operator, 'conflict'>> => {
    const refusal = await storesRefusal({ stores }, given);
    if (refusal) return refusal;
    const operator = await operators.create({ id: ids.next(), ...given });
    return operator === 'name_taken' ? nameTaken(given.name) : ok(operator);
  };
