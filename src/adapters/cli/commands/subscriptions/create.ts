import type { MerchantSubscription, SubscriptionDryRun } from '../../../http/answers.ts';
import { findStore } from '../../admin/find.ts';
import { adminCommand } from '../../command.ts';
import { STORE_FLAG, switchFlag, textFlag } from '../../flags.ts';
import { OPTION_FLAGS, optionsOf } from './options.ts';

export const createSubscription = adminCommand({
  docs: {
    brief: 'Subscribe to events as the merchant',
    about: 'Shows the signing secret once. Apps cannot see the subscription; they subscribe through their own API.',
    examples: [
      'tenon subscriptions create https://hooks.example.com/tenon --types order.paid,product.updated',
      'tenon subscriptions create https://hooks.example.com/tenon --types product.updated --gather 5,60 --dry-run',
    ],
  },
  flags: {
    store: STORE_FLAG,
    types: { kind: 'parsed', parse: String, variadic: ',', placeholder: 'types', brief: 'Event types, comma-separated' },
    description: textFlag('Description of the subscription', 'text'),
    ...OPTION_FLAGS,
    dryRun: switchFlag('Create nothing, and say what the newest events would have sent'),
  },
  positional: { kind: 'tuple', parameters: [{ parse: String, placeholder: 'url', brief: 'URL to send the events to' }] },
  run: async ({ api, print }, { store, types, description, dryRun, ...options }, url) => {
    const { id } = await findStore(api, store);
    const path = `/stores/${id}/webhooks/subscriptions`;
    const wanted = { url, eventTypes: types, description, ...optionsOf(options) };
    if (dryRun === true) {
      const { events, sent, gathered, stopped } = await api.post<SubscriptionDryRun>(`${path}?dryRun=1`, wanted);
      const conditions = stopped.map(
        (by) => [`condition ${by.number}`, `${by.events} stopped by ${JSON.stringify(by.condition)}`] as const,
      );
      print.one({ events, sent, gathered, stopped }, { events, sent, gathered, ...Object.fromEntries<string>(conditions) });
      print.say('Nothing was created: this was a dry run.');
      return;
    }
    const made = await api.post<MerchantSubscription>(path, wanted);
    print.one(made, { id: made.id, url: made.url, types: made.eventTypes.join(' '), signingSecret: made.signingSecret });
    print.say('The signing secret is not shown again.');
  },
});
