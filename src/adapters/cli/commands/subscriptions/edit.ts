import type { WatchedSubscription } from '../../../http/answers.ts';
import { findStore } from '../../admin/find.ts';
import { subscriptionId } from '../../admin/short-id.ts';
import { subscriptionIds } from '../../completions.ts';
import { adminCommand } from '../../command.ts';
import { CommandFailure, EXIT } from '../../failure.ts';
import { idArgument, STORE_FLAG, textFlag } from '../../flags.ts';
import { OPTION_FLAGS, optionsOf } from './options.ts';
import { shownSubscription } from './shown.ts';

export const editSubscription = adminCommand({
  docs: {
    brief: 'Change the URL, the types, the description or the options of a merchant subscription',
    about: 'Keeps its id, its signing secret and its queued deliveries. The subscription of an app cannot be edited.',
    examples: ['tenon subscriptions edit 019a3c5e-7b1c-7c3e-9d53-0d3f6c8a2b11 --url https://hooks.example.com/v2'],
  },
  flags: {
    store: STORE_FLAG,
    url: textFlag('New URL', 'url'),
    types: {
      kind: 'parsed',
      parse: String,
      variadic: ',',
      optional: true,
      placeholder: 'types',
      brief: 'Event types, comma-separated (replaces the current ones)',
    },
    description: textFlag('New description; an empty one removes it', 'text'),
    ...OPTION_FLAGS,
  },
  positional: { kind: 'tuple', parameters: [idArgument('Id of the subscription', subscriptionIds)] },
  run: async ({ api, print }, { store, url, types, description, ...options }, named) => {
    const given = optionsOf(options);
    if ([url, types, description, ...Object.values(given)].every((value) => value === undefined))
      throw new CommandFailure(
        'Give what to change: --url, --types, --description, --filter, --fields, --order or --gather.',
        EXIT.usage,
      );
    const found = await findStore(api, store);
    const id = await subscriptionId(api, named, found.id);
    const edited = await api.patch<WatchedSubscription>(`/stores/${found.id}/webhooks/subscriptions/${id}`, {
      url,
      eventTypes: types,
      description: description === '' ? null : description,
      ...given,
    });
    print.one(edited, shownSubscription(edited));
  },
});
