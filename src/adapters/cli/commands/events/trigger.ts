import type { EventSamples, RecordedEvent } from '../../../http/answers.ts';
import type { AdminApi } from '../../admin/admin-api.ts';
import { findStore } from '../../admin/find.ts';
import { adminCommand } from '../../command.ts';
import { triggeredTypes } from '../../completions.ts';
import type { CliInput } from '../../context.ts';
import { CommandFailure, EXIT } from '../../failure.ts';
import { STORE_FLAG, switchFlag, textFlag } from '../../flags.ts';

type Data = Readonly<Record<string, unknown>>;

const valueOf = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
};

const isObject = (value: unknown): value is Data => typeof value === 'object' && value !== null && !Array.isArray(value);

const isIndex = (key: string): boolean => /^\d{1,4}$/.test(key);

/** The value with the field at this path replaced. A list takes its indexes and the next one; what is missing is made. */
const put = (value: unknown, [key, ...rest]: readonly string[], to: unknown): unknown => {
  if (key === undefined) return to;
  if (Array.isArray(value) && isIndex(key) && Number(key) <= value.length) {
    const items = [...(value as unknown[])];
    items[Number(key)] = put(items[Number(key)], rest, to);
    return items;
  }
  const fields = isObject(value) ? value : {};
  const isThere = Object.hasOwn(fields, key);
  const set = put(isThere ? fields[key] : undefined, rest, to);
  const entries = Object.entries(fields).map(([name, own]) => [name, name === key ? set : own] as const);
  // Not by assignment, which would take __proto__ for something else.
  return Object.fromEntries(isThere ? entries : [...entries, [key, set]]);
};

/** The data with each `path=value`, e.g. `customer.name=Ada` or `items.0.quantity=2`. Throws a CommandFailure. */
export const withFields = (data: Data, settings: readonly string[]): Data =>
  settings.reduce<Data>((sum, setting) => {
    const at = setting.indexOf('=');
    const path = setting.slice(0, Math.max(at, 0)).split('.');
    if (at < 1 || path.includes(''))
      throw new CommandFailure(`--set ${setting}: expected path=value, such as total=12.5.`, EXIT.usage);
    return put(sum, path, valueOf(setting.slice(at + 1))) as Data;
  }, data);

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
