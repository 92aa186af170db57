import type { OperatorToken } from '../../domain/ports/identity/operator-tokens.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { notFound, ok, type Result } from '../../domain/result.ts';
import { HAS_ENDED } from './create-console-code.ts';
import { newCredential } from './new-credential.ts';

/** The only place where the token can be read: only its hash is kept. */
export interface IssuedOperatorToken extends OperatorToken {
  readonly token: string;
}

export const issueOperatorToken =
  ({ ids, operators, operatorTokens, secrets }: Pick<Ports, 'ids' | 'operators' | 'operatorTokens' | 'secrets'>) =>
  async (
    operatorId: string,
    { name, expiresAt }: Pick<OperatorToken, 'name' | 'expiresAt'>,
  ): Promise<Result<IssuedOperatorToken, 'not_found' | 'conflict'>> => {
    const token = newCredential(secrets, 'operatorToken');
    const issued = await operatorTokens.issue({ id: ids.next(), operatorId, name, hash: secrets.sha256(token), expiresAt });
    if (issued !== null) return ok({ ...issued, token });
    return (await operators.get(operatorId)) === null ? notFound('Operator') : HAS_ENDED;
  };
