import { ROLES } from '../../../../domain/identity/operator.ts';
import type { Operator } from '../../../http/answers.ts';
import { adminCommand } from '../../command.ts';
import { CommandFailure, EXIT } from '../../failure.ts';
import { choiceFlag, switchFlag, textFlag } from '../../flags.ts';
import { findOperator, OPERATOR_ARGUMENT, shownOperator, storeIdsOf, STORES_FLAG } from './shown.ts';

export const editOperator = adminCommand({
  docs: {
    brief: 'Change an operator',
    about: 'The new role and stores apply to the next request.',
    examples: ['tenon operators edit "Ada Lovelace" --role viewer', 'tenon operators edit deploy --all-stores'],
  },
  flags: {
    role: { ...choiceFlag(ROLES, 'New role'), optional: true },
    stores: STORES_FLAG,
    allStores: switchFlag('Give access to all stores'),
    name: textFlag('New name', 'name'),
    email: textFlag('New e-mail address', 'email'),
  },
  positional: { kind: 'tuple', parameters: [OPERATOR_ARGUMENT] },
  run: async ({ api, print }, { stores, allStores, ...changes }, named) => {
    if (stores !== undefined && allStores === true) {
      throw new CommandFailure('Give --stores or --all-stores, not both.', EXIT.usage);
    }
    const given = [stores, allStores, changes.role, changes.name, changes.email];
    if (given.every((one) => one === undefined)) {
      throw new CommandFailure('Give what to change: --role, --stores, --all-stores, --name or --email.', EXIT.usage);
    }
    const { id } = await findOperator(api, named);
    const storeIds = stores === undefined ? (allStores === true ? null : undefined) : await storeIdsOf(api, stores);
    const { role, name, email } = changes;
    const operator = await api.patch<Operator>(`/operators/${id}`, { role, name, email, storeIds });
    print.one(operator, shownOperator(operator));
  },
});
