import { refuse, type Refusal } from '../result.ts';
import { nearestName } from '../values/nearest-name.ts';
import { shortened } from '../values/text.ts';

/** Limit of the names in an answer, in bytes of their JSON: the answer can still be replayed. */
export const MAX_IGNORED_BYTES = 4_096;

/** Characters of a name that an answer repeats. */
const MAX_SHOWN_NAME = 64;

/** The most letters in which a misspelt name differs from the one that was meant. */
const SLIP = 3;

type Members = Readonly<Record<string, unknown>>;

/** More names of one element than an answer has room for: each takes four bytes, but for one. */
const ENOUGH_NAMES = MAX_IGNORED_BYTES / 4 + 1;

/** The first members of an element of a bulk update that no rule reads. `place` begins their names. */
export const unreadMembers = (raw: Members, known: readonly string[], place = ''): string[] => {
  const names: string[] = [];
  for (const name of Object.keys(raw)) {
    if (known.includes(name)) continue;
    names.push(`${place}${shortened(name, MAX_SHOWN_NAME)}`);
    if (names.length === ENOUGH_NAMES) break;
  }
  return names;
};

/** Refuses an element whose change has only names that nothing reads: it would be Unchanged in silence. */
export const nothingRead = ([first = '']: readonly string[], known: readonly string[]): Refusal<'invalid_value'> => {
  const meant = nearestName(first, known, SLIP);
  const advice = meant === null ? `A change can have ${known.join(', ')}.` : `Did you mean ${meant.name}?`;
  return refuse('invalid_value', `${JSON.stringify(first)} is not a field of a change. ${advice}`);
};

interface NamingResult {
  readonly ignored?: readonly string[];
}

/** Names the unread members in the results of one answer, as many as fit. */
export const ignoredInAnswer = () => {
  let left = MAX_IGNORED_BYTES;
  return <R extends NamingResult>(result: R, names: readonly string[]): R => {
    const ignored: string[] = [];
    // An element may have as many members as a body: those beyond the limit are not looked at.
    for (const name of left < 0 ? [] : names) {
      left -= new TextEncoder().encode(JSON.stringify(name)).length + 1;
      if (left < 0) break;
      ignored.push(name);
    }
    return ignored.length === 0 ? result : { ...result, ignored };
  };
};
