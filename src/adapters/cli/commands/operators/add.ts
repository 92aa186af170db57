import { ROLES } from '../../../../domain/identity/operator.ts';
import type { Operator } from '../../../http/answers.ts';
import { adminCommand } from '../../command.ts';
import { choiceFlag, textFlag } from '../../flags.ts';
import { shownOperator, storeIdsOf, STORES_FLAG } from './shown.ts';

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
