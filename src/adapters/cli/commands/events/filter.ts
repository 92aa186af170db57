import { STORE_FLAG, textFlag } from '../../flags.ts';

/** By what events are listed and watched. */
export const EVENT_FILTER_FLAGS = {
  store: STORE_FLAG,
  types: {
    kind: 'parsed',
    parse: String,
    variadic: ',',
    optional: true,
    placeholder: 'types',
    brief: 'Of these types, such as product.*',
  },
  resource: textFlag('About this resource', 'id'),
} as const;

export interface EventFilterFlags {
  readonly store?: string | undefined;
  readonly types?: readonly string[] | undefined;
  readonly resource?: string | undefined;
}
