import type { Ports } from '../../domain/ports/index.ts';
import { ok, type Ok } from '../../domain/result.ts';
import { newCredential } from './new-credential.ts';

/** `path` is that of the link on the admin listener; `expiresAt` in ISO 8601. */
export interface ConsoleCode {
  readonly code: string;
  readonly path: string;
  readonly expiresAt: string;
}

/**
 * Creates a code that signs the merchant in once. The link has it in the fragment, which a browser
 * does not send: no log of a proxy has it.
 */
export const createConsoleCode =
  ({ consoleSessions, secrets }: Pick<Ports, 'consoleSessions' | 'secrets'>, adminToken: string) =>
  async (): Promise<Ok<ConsoleCode>> => {
    const code = newCredential(secrets, 'loginCode');
    const expiresAt = await consoleSessions.createCode(secrets.sha256(code), secrets.hashClientSecret(adminToken));
    return ok({ code, path: `/console/#code=${code}`, expiresAt });
  };
