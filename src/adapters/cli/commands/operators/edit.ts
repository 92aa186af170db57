import { ROLES } from '../../../../domain/identity/operator.ts';
import type { Operator } from '../../../http/answers.ts';
import { adminCommand } from '../../command.ts';
import { CommandFailure, EXIT } from '../../failure.ts';
import { choiceFlag, switchFlag, textFlag, YES_FLAG } from '../../flags.ts';
import { confirm } from '../../output/confirm.ts';
import { plain } from '../../output/style.ts';
import { findOperator, OPERATOR_ARGUMENT, shownOperator, storeIdsOf, STORES_FLAG } from './list.ts';

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

export const addOperator = adminCommand({
  docs: {
    brief: 'Add an operator',
    about:
      'A viewer reads. An operator also changes. An owner also manages operators and erases stores. ' +
      'A person signs in with tenon operators link, and a machine with tenon operators token.',
    examples: ['tenon operators add "Ada Lovelace" --role operator', 'tenon operators add deploy --stores sunrise.localhost'],
  },
  flags: {
    role: { ...choiceFlag(ROLES, 'Role'), default: 'viewer' },
    stores: STORES_FLAG,
    email: textFlag('E-mail address, for people to read', 'email'),
  },
  positional: { kind: 'tuple', parameters: [{ parse: String, placeholder: 'name', brief: 'Name of the person or machine' }] },
  run: async ({ api, print }, { role, stores, email }, name) => {
    const storeIds = stores === undefined ? null : await storeIdsOf(api, stores);
    const operator = await api.post<Operator>('/operators', { name, role, storeIds, email: email ?? null });
    print.one(operator, shownOperator(operator));
  },
});

export const endOperator = adminCommand({
  docs: {
    brief: 'End the access of an operator',
    about: 'The tokens, console sessions and links of the operator are refused from the next request. This cannot be undone.',
    examples: ['tenon operators end "Ada Lovelace" --yes'],
  },
  flags: { yes: YES_FLAG },
  positional: { kind: 'tuple', parameters: [OPERATOR_ARGUMENT] },
  run: async ({ api, print, context }, { yes }, named) => {
    const { id, name } = await findOperator(api, named);
    await confirm(context, `This ends the access of ${plain(name)}. It cannot be undone.`, yes);
    const operator = await api.delete<Operator>(`/operators/${id}`);
    print.one(operator, shownOperator(operator));
  },
});
