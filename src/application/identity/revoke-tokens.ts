import type { Ports } from '../../domain/ports/index.ts';
import { ok } from '../../domain/result.ts';
import type { Result } from '../../domain/result.ts';
import { noInstallation } from './installation-refusals.ts';

/** The client secret still buys new ones: rotate it with an overlap of 0 where it leaked too. */
export const revokeTokens =
  ({ tokens }: Pick<Ports, 'tokens'>) =>
  async (id: string): Promise<Result<null, 'not_found'>> =>
    (await tokens.revokeAll(id)) ? ok(null) : noInstallation();
