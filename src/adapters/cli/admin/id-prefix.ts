import { CommandFailure, EXIT } from '../failure.ts';

export interface Named {
  readonly id: string;
}

/** The beginning of a UUID, as a table shows it. */
const ID_PREFIX = /^[0-9a-f]{8}[0-9a-f-]{0,27}$/i;

export const isIdPrefix = (text: string): boolean => ID_PREFIX.test(text);

/** The one of these whose id begins so; undefined when none does. Throws a CommandFailure when several do. */
export const withIdPrefix = <T extends Named>(found: readonly T[], text: string): T | undefined => {
  const matches = found.filter(({ id }) => id.startsWith(text.toLowerCase()));
  if (matches.length > 1) {
    const ids = matches.slice(0, 5).map(({ id }) => `\n  ${id}`);
    const more = matches.length > 5 ? '\n  ...' : '';
    throw new CommandFailure(`Several ids begin with ${text}. Give more of it:${ids.join('')}${more}`, EXIT.usage);
  }
  return matches[0];
};
