import { STEPS } from '../../domain/insight/figures.ts';
import { appNames, storeDomains, type ProposeCompletions } from './completions.ts';
import { CommandFailure, EXIT } from './failure.ts';

export const STORE_FLAG = {
  kind: 'parsed',
  parse: String,
  optional: true,
  placeholder: 'store',
  proposeCompletions: storeDomains,
  brief: 'Id or domain of the store; optional if there is only one',
} as const;

export const STORE_ARGUMENT = {
  parse: String,
  placeholder: 'store',
  brief: 'Id or domain of the store',
  proposeCompletions: storeDomains,
} as const;

export const APP_FLAG = {
  kind: 'parsed',
  parse: String,
  optional: true,
  placeholder: 'app',
  proposeCompletions: appNames,
  brief: 'Id, client id or name of an app',
} as const;

export const APP_ARGUMENT = {
  parse: String,
  placeholder: 'app',
  brief: 'Id, client id or name of the app',
  proposeCompletions: appNames,
} as const;

export const textFlag = (brief: string, placeholder: string) =>
  ({ kind: 'parsed', parse: String, optional: true, placeholder, brief }) as const;

/** Accepts one of these words, in any case. */
export const choiceFlag = <const Word extends string>(words: readonly Word[], brief: string) =>
  ({
    kind: 'parsed',
    parse: (text: string): Word => {
      const found = words.find((word) => word.toLowerCase() === text.toLowerCase());
      if (found === undefined) throw new CommandFailure(`${text} is not one of ${words.join(', ')}`, EXIT.usage);
      return found;
    },
    placeholder: words.join('|'),
    proposeCompletions: () => Promise.resolve(words),
    brief: `${brief}: ${words.join(', ')}`,
  }) as const;

export const switchFlag = (brief: string) => ({ kind: 'boolean', optional: true, withNegated: false, brief }) as const;

export const PRINT_FLAGS = {
  json: switchFlag('Write JSON, one document per line'),
  quiet: switchFlag('Write data only, no messages'),
} as const;

/** For every command that lists. */
export const WIDE_FLAG = { wide: switchFlag('Show every column with its whole values') } as const;

export const idArgument = (what: string, proposeCompletions: ProposeCompletions) =>
  ({ parse: String, placeholder: 'id', brief: `${what}, or its beginning`, proposeCompletions }) as const;

export const fileArgument = (brief: string) => ({ parse: String, placeholder: 'file', brief }) as const;

export const MEDIA_FLAG = switchFlag('Include the media files');
const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** A time as a person writes it, as ISO 8601: `90s`, `5m`, `1h`, `7d` or `2w` ago, or a date and time. */
export const parseTime = (text: string): string => {
  const [, count, unit = ''] = /^(\d{1,6})([smhdw])$/.exec(text) ?? [];
  const time = count === undefined ? Date.parse(text) : Date.now() - Number(count) * (UNITS[unit] ?? 0);
  if (Number.isNaN(time)) throw new CommandFailure('expected 1h, 7d or a time such as 2026-11-23T09:30:00Z', EXIT.usage);
  return new Date(time).toISOString();
};

export const timeFlag = (brief: string) =>
  ({
    kind: 'parsed',
    parse: parseTime,
    optional: true,
    placeholder: 'time',
    brief: `${brief}: 1h, 7d or an ISO 8601 time`,
  }) as const;

const parseCount = (text: string): number => {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new CommandFailure('expected a whole number from 1 to 9999999', EXIT.usage);
  return Number(text);
};

export const LIMIT_FLAG = {
  kind: 'parsed',
  parse: parseCount,
  default: '50',
  placeholder: 'number',
  brief: 'Maximum number of results',
} as const;

export const YES_FLAG = switchFlag('Do not ask for confirmation');

/** For commands with a line for each step of time. */
export const STEP_FLAGS = {
  step: { ...choiceFlag(STEPS, 'Length of a line'), default: 'hour' },
  since: timeFlag('Since'),
  until: timeFlag('Before'),
} as const;
