import { CommandFailure, EXIT } from '../../failure.ts';
import { textFlag } from '../../flags.ts';

export const OPTION_FLAGS = {
  filter: textFlag('Which events are sent, as JSON; an empty one sends all', 'json'),
  order: textFlag('In which order events are sent: resource; an empty one promises none', 'order'),
  gather: textFlag('Gather the changes of one resource, as QUIET,MAX seconds; an empty one sends each by itself', 'seconds'),
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
}

/** Keeps an absent option, and removes an empty one. */
const given = <T>(text: string | undefined, of: (text: string) => T): T | null | undefined =>
  text === undefined ? undefined : text === '' ? null : of(text);

/** Options in the form of the API. */
export const optionsOf = ({ filter, fields, order, gather }: Written) => ({
  filter: given(filter, filterOf),
  fields: given(fields, (text) => text.split(',').map((path) => path.trim())),
  order: given(order, String),
  gather: given(gather, gatheringOf),
});
