import type { Ports } from '../../domain/ports/index.ts';
import { notFound, ok, type Result } from '../../domain/result.ts';

/**
 * Revokes every access token of the app. Its client secret still gets new ones: if it leaked too,
 * rotate it with an overlap of 0.
 */
export const revokeTokens =
  ({ tokens }: Pick<Ports, 'tokens'>) =>
  async (id: string): Promise<Result<null, 'not_found'>> =>
    (await tokens.revokeAll(id)) ? ok(null) : notFound('Installation');
