import { parseDefinition, type DefinitionInput } from '../../domain/custom-data/metaobject-definition.ts';
import { checkReferences, parseEntry } from '../../domain/custom-data/metaobject-entry.ts';
import type { Definition, Entry, Matches } from '../../domain/custom-data/metaobject.ts';
import type { TransactionPorts, Ports } from '../../domain/ports/index.ts';
import { refuse, type Refusal, notFound, ok, type Result } from '../../domain/result.ts';
import { isEqual } from '../../domain/values/equal.ts';

const BATCH = 200;

interface DefinitionChange {
  readonly storeId: string;
  readonly before: Definition;
  readonly after: Definition;
  readonly matches: Matches;
}

/** The fields whose type changes. Only their spelling can be another one, and only their ids have to be looked up again. */
const keysOfNewType = ({ before, after }: DefinitionChange): ReadonlySet<string> => {
  const types = new Map(before.fields.map(({ key, type }) => [key, type]));
  const changed = after.fields.filter(({ key, type }) => types.get(key) !== type);
  return new Set(changed.map(({ key }) => key));
};

/** The entry stays as it is stored. So "12" cannot become an integer: a GET would answer a text, and no search would find it. */
const checkSpelling = (keys: ReadonlySet<string>, entry: Entry, fields: Entry['fields']): Refusal<'invalid'> | null => {
  const key = [...keys].find((name) => !isEqual(fields[name], entry.fields[name]));
  if (key === undefined) return null;
  return refuse('invalid', 'The entry is invalid.', { [`fields.${key}`]: ['is not spelt as its new type keeps it'] });
};

const checkEntry = async (
  tx: TransactionPorts,
  entry: Entry,
  change: DefinitionChange,
  ofNewType: ReadonlySet<string>,
): Promise<Refusal<'invalid'> | null> => {
  const parsed = parseEntry(change.after, entry, change);
  if (!parsed.ok) return parsed;
  const respelt = checkSpelling(ofNewType, entry, parsed.value.fields);
  if (respelt) return respelt;
  const references = parsed.value.references.filter(({ key }) => ofNewType.has(key));
  if (references.length === 0) return null;
  const { storeId } = change;
  return checkReferences(
    references,
    await tx.metaobjects.existing({ storeId, installationId: entry.installationId }, references),
  );
};

const wouldBeInvalid = ({ handle, id }: Entry, { errors = {} }: Refusal<'invalid'>): Refusal<'conflict'> => {
  const [field = '', messages = []] = Object.entries(errors)[0] ?? [];
  return refuse('conflict', `The stored entry ${handle} (${id}) would become invalid: ${field} ${messages.join('; ')}.`);
};

/** Refuses a change that would make a stored entry invalid, or keep its values in another spelling. Reads the entries in batches. */
const checkStoredEntries = async (tx: TransactionPorts, change: DefinitionChange): Promise<Refusal<'conflict'> | null> => {
  const ofNewType = keysOfNewType(change);
  let last: string | null = null;
  for (;;) {
    const entries = await tx.metaobjects.entriesAfter(change.storeId, change.after.type, last, BATCH);
    for (const entry of entries) {
      const refusal = await checkEntry(tx, entry, change, ofNewType);
      if (refusal) return wouldBeInvalid(entry, refusal);
    }
    if (entries.length < BATCH) return null;
    last = entries.at(-1)?.id ?? null;
  }
};

/**
 * Creates or replaces a type of metaobject. While it is locked, no entry can be written that the
 * change would make invalid.
 */
export const putDefinition =
  ({ patterns, transaction }: Pick<Ports, 'patterns' | 'transaction'>) =>
  async (
    storeId: string,
    type: string,
    input: DefinitionInput,
  ): Promise<Result<Definition, 'invalid' | 'not_found' | 'conflict'>> => {
    const parsed = parseDefinition(type, input, (pattern) => patterns.isPattern(pattern));
    if (!parsed.ok) return parsed;
    const after = parsed.value;
    const matches = (pattern: string, text: string): boolean => patterns.matches(pattern, text);
    return transaction.run(null, async (tx) => {
      const before = await tx.metaobjects.lockDefinition(storeId, type);
      const refusal = before && (await checkStoredEntries(tx, { storeId, before, after, matches }));
      if (refusal) return refusal;
      return (await tx.metaobjects.putDefinition(storeId, after)) ? ok(after) : notFound('Store');
    });
  };
