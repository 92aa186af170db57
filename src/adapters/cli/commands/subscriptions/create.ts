import type { MerchantSubscription, SubscriptionDryRun, WatchedSubscription } from '../../../http/answers.ts';
import { findStore } from '../../admin/find.ts';
import { subscriptionId } from '../../admin/short-id.ts';
import { adminCommand } from '../../command.ts';
import { subscriptionIds } from '../../completions.ts';
import { CommandFailure, EXIT } from '../../failure.ts';
import { textFlag, STORE_FLAG, switchFlag, idArgument } from '../../flags.ts';
import { shownSubscription } from './list.ts';

const OPTION_FLAGS = {
  filter: textFlag('Which events are sent, as JSON; an empty one sends all', 'json'),
  order: textFlag('In which order events are sent: resource; an empty one promises none', 'order'),
  gather: textFlag('Gather the changes of one resource, as QUIET,MAX seconds; an empty one sends each by itself', 'seconds'),
  include: textFlag('What the body brings beside the event: product or product.variants; an empty one brings nothing', 'include'),
  fields: textFlag('Paths of the data that are sent, comma-separated; an empty one sends all', 'paths'),
} as const;

const filterOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw new CommandFailure('--filter must be JSON.', EXIT.usage);
  }
};

const gatheringOf = (text: string): unknown => {
  const [, quietSeconds, maxSeconds] = /^(\d{1,4}),(\d{1,4})$/.exec(text.replaceAll(' ', '')) ?? [];
  if (quietSeconds === undefined || maxSeconds === undefined)
    throw new CommandFailure('--gather must be two numbers of seconds, such as 5,60.', EXIT.usage);
  return { quietSeconds: Number(quietSeconds), maxSeconds: Number(maxSeconds) };
};

interface Written {
  readonly filter?: string | undefined;
  readonly fields?: string | undefined;
  readonly order?: string | undefined;
  readonly gather?: string | undefined;
  readonly include?: string | undefined;
}

/** Keeps an absent option, and removes an empty one. */
const given = <T>(text: string | undefined, of: (text: string) => T): T | null | undefined =>
  text === undefined ? undefined : text === '' ? null : of(text);

const listOf = (text: string): string[] => text.split(',').map((path) => path.trim());

/** Options in the form of the API. */
const optionsOf = ({ filter, fields, order, gather, include }: Written) => ({
  filter: given(filter, filterOf),
  fields: given(fields, listOf),
  include: given(include, listOf),
  order: given(order, String),
  gather: given(gather, gatheringOf),
});

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
        'Give what to change: --url, --types, --description, --filter, --fields, --order, --gather or --include.',
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
