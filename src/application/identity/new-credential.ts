import type { Secrets } from '../../domain/ports/secrets.ts';
import { formatCredential, randomBytesOf, type CredentialKind } from '../../domain/identity/token.ts';

export const newCredential = (secrets: Secrets, kind: CredentialKind): string =>
  formatCredential(kind, secrets.randomBytes(randomBytesOf(kind)));
