import type { Ports } from '../../domain/ports/index.ts';
import { notFound, ok, type Result } from '../../domain/result.ts';
import { inItsStore } from './in-its-store.ts';

/**
 * Revokes every access token of the app. Its client secret still gets new ones: if it leaked too,
 * rotate it with an overlap of 0.
 */
export const revokeTokens =
  ({ locator, tokens }: Pick<Ports, 'locator' | 'tokens'>) =>
  (id: string): Promise<Result<null, 'not_found'>> =>
    inItsStore({ locator })(id, async (storeId) => ((await tokens.revokeAll(storeId, id)) ? ok(null) : notFound('Installation')));
