import type { Definition, Entry, Matches, Reference } from '../../domain/custom-data/metaobject.ts';
import { isReference } from '../../domain/custom-data/metaobject.ts';
import { parseDefinition } from '../../domain/custom-data/metaobject-definition.ts';
import type { DefinitionInput } from '../../domain/custom-data/metaobject-definition.ts';
import { missingReferences, validateEntry } from '../../domain/custom-data/metaobject-entry.ts';
import type { Ports, TransactionPorts } from '../../domain/ports/index.ts';
import { notFound, ok, refuse } from '../../domain/result.ts';
import type { Result } from '../../domain/result.ts';

const BATCH = 200;

/** Fields that now refer to another kind of record: stored ids were looked up as the old kind. */
const changedKinds = (before: Definition, after: Definition): ReadonlySet<string> => {
  const old = new Map(before.fields.map(({ key, type }) => [key, type]));
  return new Set(after.fields.filter(({ key, type }) => isReference(type) && old.get(key) !== type).map(({ key }) => key));
};

const faultsOf = async (
  tx: TransactionPorts,
  storeId: string,
  entry: Entry,
  definition: Definition,
  look: { readonly matches: Matches; readonly changed: ReadonlySet<string> },
): Promise<Readonly<Record<string, readonly string[]>>> => {
  const checked = validateEntry(definition, entry, look);
  if ('errors' in checked) return checked.errors;
  const references: Reference[] = checked.value.references.filter(({ key }) => look.changed.has(key));
  if (references.length === 0) return {};
  return missingReferences(
    references,
    await tx.metaobjects.existing({ storeId, installationId: entry.installationId }, references),
  );
};

/** The first stored entry that the definition would make invalid, as a public text; null when there is none. */
const obstacle = async (tx: TransactionPorts, storeId: string, before: Definition, after: Definition, matches: Matches) => {
  const look = { matches, changed: changedKinds(before, after) };
  let last: string | null = null;
  for (;;) {
    const entries: readonly Entry[] = await tx.metaobjects.entriesAfter(storeId, after.type, last, BATCH);
    for (const entry of entries) {
      const [fault] = Object.entries(await faultsOf(tx, storeId, entry, after, look));
      if (fault)
        return `The stored entry ${entry.handle} (${entry.id}) would become invalid: ${fault[0]} ${fault[1].join('; ')}.`;
    }
    const final = entries.at(-1);
    if (!final || entries.length < BATCH) return null;
    last = final.id;
  }
};

/** Creates or replaces a type of metaobject. A change that would make stored entries invalid is a conflict, decided while none can be written. */
export const putDefinition =
  ({ patterns, transaction }: Pick<Ports, 'patterns' | 'transaction'>) =>
  async (
    storeId: string,
    type: string,
    input: DefinitionInput,
  ): Promise<Result<Definition, 'invalid' | 'not_found' | 'conflict'>> => {
    const parsed = parseDefinition(type, input, (pattern) => patterns.isPattern(pattern));
    if ('errors' in parsed) return refuse('invalid', 'The definition is invalid.', parsed.errors);
    const definition = parsed.value;
    return transaction.run(async (tx) => {
      const before = await tx.metaobjects.lockDefinition(storeId, type);
      const fault =
        before && (await obstacle(tx, storeId, before, definition, (pattern, text) => patterns.matches(pattern, text)));
      if (fault) return refuse('conflict', fault);
      return (await tx.metaobjects.putDefinition(storeId, definition)) ? ok(definition) : notFound('Store');
    });
  };
