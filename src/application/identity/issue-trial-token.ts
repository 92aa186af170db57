import { mayCall } from '../../domain/identity/installation.ts';
import { usableScopes } from '../../domain/identity/scope.ts';
import { MAX_TRIAL_TOKEN_SECONDS } from '../../domain/identity/token.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { notFound, ok, refuse, type Result } from '../../domain/result.ts';
import { inItsStore } from './in-its-store.ts';
import { newCredential } from './new-credential.ts';

export interface TrialToken {
  readonly accessToken: string;
  /** Seconds. */
  readonly expiresIn: number;
  /** Scopes that the token can be used for, sorted. */
  readonly scopes: readonly string[];
}

/**
 * Makes a token of the app without its secret, so that the merchant can try the API as the app. It
 * is returned this once, and ends within ten minutes. `seconds` is a whole number from 1 to 600.
 */
export const issueTrialToken =
  ({ installations, locator, secrets, tokens }: Pick<Ports, 'installations' | 'locator' | 'secrets' | 'tokens'>) =>
  (id: string, seconds = MAX_TRIAL_TOKEN_SECONDS): Promise<Result<TrialToken, 'not_found' | 'conflict'>> =>
    inItsStore({ locator })(id, async (storeId) => {
      const installation = await installations.get(storeId, id);
      if (!installation) return notFound('Installation');
      if (!mayCall(installation.status)) {
        return refuse('conflict', `The app is ${installation.status.toLowerCase()}, so it cannot have a token.`);
      }
      const accessToken = newCredential(secrets, 'accessToken');
      const expiresIn = await tokens.issue(storeId, id, secrets.sha256(accessToken), seconds);
      if (expiresIn === null)
        return refuse('conflict', 'The store is inactive, or the app was just suspended, so it cannot have a token.');
      return ok({ accessToken, expiresIn, scopes: usableScopes(installation.scopes) });
    });
