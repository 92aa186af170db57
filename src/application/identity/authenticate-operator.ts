import { parseCredential } from '../../domain/identity/token.ts';
import type { TokenUse } from '../../domain/ports/identity/operator-tokens.ts';
import type { Ports } from '../../domain/ports/index.ts';

/**
 * Finds the token and the operator who calls with it; null for none. Nothing of it is cached: every
 * request runs one statement, so the end of an operator or a token applies to the next request on
 * every node.
 */
export const authenticateOperator =
  ({ operatorTokens, secrets }: Pick<Ports, 'operatorTokens' | 'secrets'>) =>
  async (token: string): Promise<TokenUse | null> =>
    parseCredential('operatorToken', token) ? operatorTokens.authenticate(secrets.sha256(token)) : null;
