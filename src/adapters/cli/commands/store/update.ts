import type { Store } from '../../../http/schemas/answers.ts';
import { findStore } from '../../admin/find.ts';
import { adminCommand } from '../../command.ts';
import { CommandFailure, EXIT } from '../../failure.ts';
import { choiceFlag, STORE_ARGUMENT, textFlag } from '../../flags.ts';
import { shownStore } from './shown.ts';

export const updateStore = adminCommand({
  docs: {
    brief: 'Change a store',
    about: 'Once a store is inactive, every request of its apps gets 401.',
    examples: ['tenon store update sunrise.localhost --status Inactive'],
  },
  flags: {
    domain: textFlag('New domain', 'domain'),
    name: textFlag('New name', 'name'),
    status: { ...choiceFlag(['Active', 'Inactive'], 'New status'), optional: true },
  },
  positional: { kind: 'tuple', parameters: [STORE_ARGUMENT] },
  run: async ({ api, print }, { domain, name, status }, named) => {
    if (domain === undefined && name === undefined && status === undefined) {
      throw new CommandFailure('Give what to change: --domain, --name or --status.', EXIT.usage);
    }
    const { id } = await findStore(api, named);
    const store = await api.patch<Store>(`/stores/${id}`, { domain, name, status });
    print.one(store, shownStore(store));
  },
});
