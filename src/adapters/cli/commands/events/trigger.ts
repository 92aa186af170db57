import type { EventSamples, RecordedEvent } from '../../../http/schemas/answers.ts';
import type { AdminApi } from '../../admin/admin-api.ts';
import { findStore } from '../../admin/find.ts';
import { adminCommand } from '../../command.ts';
import type { Session } from '../../command.ts';
import type { Input } from '../../context.ts';
import { CommandFailure, EXIT } from '../../failure.ts';
import { STORE_FLAG, switchFlag, textFlag } from '../../flags.ts';
import { withFields } from './set-fields.ts';
import type { Data } from './set-fields.ts';

interface Flags {
  readonly store?: string | undefined;
  readonly data?: string | undefined;
  readonly set?: readonly string[] | undefined;
  readonly id?: string | undefined;
  readonly list?: boolean | undefined;
}

const sampleOf = async (api: AdminApi, type: string): Promise<Data> => {
  const { items } = await api.get<EventSamples>('/events/samples');
  const sample = items.find((item) => item.type === type);
  if (sample) return sample.data;
  const known = items.map((item) => item.type).join(', ');
  throw new CommandFailure(
    `${type} can't be triggered. You can trigger ${known}. The server records every other type itself: make the change that causes it.`,
    EXIT.usage,
  );
};

const textOf = async (input: Input): Promise<string> => {
  if (input.isTTY) throw new CommandFailure('Standard input is a terminal. Pipe the data into the command.', EXIT.usage);
  const chunks: Buffer[] = [];
  for await (const chunk of input) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
};

/** The data that was handed in, a JSON object. */
const givenData = async (from: string, input: Input): Promise<Data> => {
  if (from !== '-') throw new CommandFailure('--data takes - only: the data comes from standard input.', EXIT.usage);
  const text = await textOf(input);
  try {
    const data: unknown = JSON.parse(text);
    if (typeof data === 'object' && data !== null && !Array.isArray(data)) return data as Data;
  } catch {
    // Said below.
  }
  throw new CommandFailure('Standard input must be a JSON object: the data of the event.', EXIT.usage);
};

export const triggerEvent = adminCommand({
  docs: {
    brief: 'Record an event, with sample data',
    about:
      'Records an event that no route of Tenon causes, such as a paid order, and sends it to the subscriptions of its type. ' +
      '--list shows the types with their sample data. The server records every other type itself.',
    examples: [
      'tenon events trigger order.paid',
      'tenon events trigger order.paid --set id=order-7 --set total=12.5 --set customer.name=Ada',
      'jq .order order.json | tenon events trigger order.created --data -',
    ],
  },
  flags: {
    store: STORE_FLAG,
    data: textFlag('- reads the data from standard input, in place of the sample', '-'),
    set: {
      kind: 'parsed',
      parse: String,
      variadic: true,
      optional: true,
      placeholder: 'path=value',
      brief: 'Set a field of the data; the value is JSON, or else text. Can be repeated',
    },
    id: textFlag('Your own id of the event: the same id again records nothing', 'id'),
    list: switchFlag('Show the types that you can trigger'),
  },
  positional: {
    kind: 'tuple',
    parameters: [{ parse: String, placeholder: 'type', brief: 'Type of the event', optional: true }],
  },
  run: async ({ api, print, context }: Session, { store, data, set = [], id, list }: Flags, type: string | undefined) => {
    if (list) {
      const { items } = await api.get<EventSamples>('/events/samples');
      print.list(items, [
        { name: 'type', of: (sample) => sample.type },
        { name: 'data', of: (sample) => JSON.stringify(sample.data) },
      ]);
      return;
    }
    if (type === undefined) throw new CommandFailure('Name the type of the event. See --list.', EXIT.usage);
    const sample = await sampleOf(api, type);
    const base = data === undefined ? sample : await givenData(data, context.process.stdin);
    const { id: storeId } = await findStore(api, store);
    const event = { type, data: withFields(base, set), id };
    const recorded = await api.post<RecordedEvent>(`/stores/${storeId}/events`, event);
    print.one(recorded, { event: recorded.eventId, subscriptions: recorded.subscriptions });
  },
});
