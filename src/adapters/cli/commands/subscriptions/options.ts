import { CommandFailure, EXIT } from '../../failure.ts';
import { textFlag } from '../../flags.ts';

export const OPTION_FLAGS = {
  filter: textFlag('Which events are sent, as JSON; an empty one sends all', 'json'),
  order: textFlag('In which order events are sent: resource; an empty one promises none', 'order'),
  fields: textFlag('Paths of the data that are sent, comma-separated; an empty one sends all', 'paths'),
} as const;

const filterOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw new CommandFailure('--filter must be JSON.', EXIT.usage);
  }
};

interface Written {
  readonly filter?: string | undefined;
  readonly fields?: string | undefined;
  readonly order?: string | undefined;
}

/** As the API takes them. What is not given stays as it is, and what is empty is removed. */
export const optionsOf = ({ filter, fields, order }: Written) => ({
  filter: filter === '' ? null : filter === undefined ? undefined : filterOf(filter),
  fields: fields === '' ? null : fields?.split(',').map((path) => path.trim()),
  order: order === '' ? null : order,
});
