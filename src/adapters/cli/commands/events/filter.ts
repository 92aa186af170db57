import { STORE_FLAG, textFlag } from '../../flags.ts';

export const TYPES_FLAG = {
  kind: 'parsed',
  parse: String,
  variadic: ',',
  optional: true,
  placeholder: 'types',
  brief: 'Of these types, such as product.*',
} as const;

/** By what events are listed and watched. */
export const EVENT_FILTER_FLAGS = {
  store: STORE_FLAG,
  types: TYPES_FLAG,
  resource: textFlag('About this resource', 'id'),
} as const;

export interface EventFilterFlags {
  readonly store?: string | undefined;
  readonly types?: readonly string[] | undefined;
  readonly resource?: string | undefined;
}
