/** Parameters that several commands have, each with the same words. */

export const STORE_FLAG = {
  kind: 'parsed',
  parse: String,
  optional: true,
  placeholder: 'store',
  brief: 'Id or domain of the store; not needed when there is one store',
} as const;

export const STORE_ARGUMENT = { parse: String, placeholder: 'store', brief: 'Id or domain of the store' } as const;

export const textFlag = (brief: string, placeholder: string) =>
  ({ kind: 'parsed', parse: String, optional: true, placeholder, brief }) as const;

export const switchFlag = (brief: string) => ({ kind: 'boolean', optional: true, withNegated: false, brief }) as const;

/** How data is written. */
export const PRINT_FLAGS = {
  json: switchFlag('Write JSON, one document per line'),
  quiet: switchFlag('Write only data, no messages'),
} as const;

export const fileArgument = (brief: string) => ({ parse: String, placeholder: 'file', brief }) as const;

export const MEDIA_FLAG = switchFlag('Write the media files as well');
