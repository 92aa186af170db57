import { STORE_FLAG, textFlag } from '../../flags.ts';

export const TYPES_FLAG = {
  kind: 'parsed',
  parse: String,
  variadic: ',',
  optional: true,
  placeholder: 'types',
  brief: 'Only these types, such as product.*',
} as const;

export const EVENT_FILTER_FLAGS = {
  store: STORE_FLAG,
  types: TYPES_FLAG,
  resource: textFlag('Only events about this resource', 'id'),
} as const;
