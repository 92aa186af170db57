import { parseDefinition, type DefinitionInput } from '../../domain/custom-data/metaobject-definition.ts';
import type { Definition } from '../../domain/custom-data/metaobject.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { notFound, ok, type Result } from '../../domain/result.ts';
import { checkStoredEntries } from './stored-entries.ts';

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
