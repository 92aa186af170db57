import type { EventSamples, RecordedEvent } from '../../../http/answers.ts';
import type { AdminApi } from '../../admin/admin-api.ts';
import { findStore } from '../../admin/find.ts';
import { triggeredTypes } from '../../completions.ts';
import { adminCommand } from '../../command.ts';
import type { CliInput } from '../../context.ts';
import { CommandFailure, EXIT } from '../../failure.ts';
import { STORE_FLAG, switchFlag, textFlag } from '../../flags.ts';
import { withFields, type Data } from './set-fields.ts';

const sampleOf = async (api: AdminApi, type: string): Promise<Data> => {
  const { items } = await api.get<EventSamples>('/events/samples');
  const sample = items.find((item) => item.type === type);
  if (sample) return sample.data;
  const known = items.map((item) => item.type).join(', ');
  throw new CommandFailure(
    `${type} cannot be triggered. You can trigger ${known}. The server records every other type itself: make the change that causes it.`,
    EXIT.usage,
  );
};

const textOf = async (input: CliInput): Promise<string> => {
  if (input.isTTY) throw new CommandFailure('Standard input is a terminal. Pipe the data into the command.', EXIT.usage);
  const chunks: Buffer[] = [];
  for await (const chunk of input) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
};

const givenData = async (from: string, input: CliInput): Promise<Data> => {
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
    brief: 'Record an event with sample data',
    about:
      'Records an event that Tenon does not create itself, such as a paid order, and sends it to the subscriptions of its type. ' +
      '--list shows these types with their sample data.',
    examples: [
      'tenon events trigger order.paid',
      'tenon events trigger order.paid --set id=order-7 --set total=12.5 --set customer.name=Ada',
      'jq .order order.json | tenon events trigger order.created --data -',
    ],
  },
  flags: {
    store: STORE_FLAG,
    data: textFlag('- reads the data from standard input instead of using the sample', '-'),
    set: {
      kind: 'parsed',
      parse: String,
      variadic: true,
      optional: true,
      placeholder: 'path=value',
      brief: 'Set a field of the data; the value is parsed as JSON if possible; repeatable',
    },
    id: textFlag('Your own id for the event; repeating an id records nothing', 'id'),
    list: switchFlag('List the types that you can trigger'),
  },
  positional: {
    kind: 'tuple',
    parameters: [
      { parse: String, placeholder: 'type', brief: 'Type of the event', optional: true, proposeCompletions: triggeredTypes },
    ],
  },
  run: async ({ api, print, context }, { store, data, set = [], id, list }, type) => {
    if (list) {
      const { items } = await api.get<EventSamples>('/events/samples');
      print.list(items, [
        { name: 'type', of: (sample) => sample.type },
        { name: 'data', of: (sample) => JSON.stringify(sample.data) },
      ]);
      return;
    }
    if (type === undefined) throw new CommandFailure('Give the type of the event. See --list.', EXIT.usage);
    const sample = await sampleOf(api, type);
    const base = data === undefined ? sample : await givenData(data, context.process.stdin);
    const { id: storeId } = await findStore(api, store);
    const event = { type, data: withFields(base, set), id };
    const recorded = await api.post<RecordedEvent>(`/stores/${storeId}/events`, event);
    print.one(recorded, { event: recorded.eventId, subscriptions: recorded.subscriptions });
  },
});
