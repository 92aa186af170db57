import type { Actor } from '../../domain/identity/operator.ts';
import type { SessionOpener } from '../../domain/ports/identity/console-sessions.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { notFound, ok, refuse, type Result } from '../../domain/result.ts';
import { newCredential } from './new-credential.ts';

/** `path` is that of the link on the admin listener; `expiresAt` in ISO 8601. */
export interface ConsoleCode {
  readonly code: string;
  readonly path: string;
  readonly expiresAt: string;
}

type CodePorts = Pick<Ports, 'consoleSessions' | 'secrets'>;

/** Null for the holder of the admin token. */
export const openerOf = ({ operatorId }: Pick<Actor, 'operatorId'>, tokenId: string | null): SessionOpener | null =>
  operatorId === null ? null : { operatorId, tokenId };

/**
 * Creates a code that signs the caller in once. The code and its session end with the token by which the caller made it. The link has it in the fragment, which a browser
 * does not send: no log of a proxy has it.
 */
export const createConsoleCode =
  ({ consoleSessions, secrets }: CodePorts, adminToken: string) =>
  async ({ operatorId }: Pick<Actor, 'operatorId'>, tokenId: string | null): Promise<Result<ConsoleCode, 'unauthenticated'>> => {
    const code = newCredential(secrets, 'loginCode');
    const [hash, tokenHash] = [secrets.sha256(code), secrets.hashClientSecret(adminToken)];
    const expiresAt = await consoleSessions.createCode(hash, tokenHash, openerOf({ operatorId }, tokenId));
    if (expiresAt === null) return refuse('unauthenticated', 'The token has ended.');
    return ok({ code, path: `/console/#code=${code}`, expiresAt });
  };

export const HAS_ENDED = refuse('conflict', 'The operator has ended. Add a new one.');

/** Invites another operator. */
export const inviteOperator =
  (ports: CodePorts & Pick<Ports, 'operators'>, adminToken: string) =>
  async (id: string): Promise<Result<ConsoleCode, 'unauthenticated' | 'not_found' | 'conflict'>> => {
    const operator = await ports.operators.get(id);
    if (operator === null) return notFound('Operator');
    return operator.endedAt === null ? createConsoleCode(ports, adminToken)({ operatorId: id }, null) : HAS_ENDED;
  };
