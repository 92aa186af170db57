import type { Ports } from '../../domain/ports/index.ts';
import type { Secrets } from '../../domain/ports/secrets.ts';
import { formatCredential, randomBytesOf, type CredentialKind } from '../../domain/identity/token.ts';

export const newCredential = (secrets: Secrets, kind: CredentialKind): string =>
  formatCredential(kind, secrets.randomBytes(randomBytesOf(kind)));

type Making = Pick<Ports, 'ids' | 'secrets'>;

/** A client secret, and what is kept of it: a hash. */
export const newClientSecret = ({ ids, secrets }: Making) => {
  const clientSecret = newCredential(secrets, 'clientSecret');
  return { clientSecret, kept: { id: ids.next(), hash: secrets.hashClientSecret(clientSecret) } };
};

/** A signing secret, and its sealed form, which opens in the context of `owner`: the id of the app. */
export const signingSecretFor = ({ ids, secrets }: Making, owner: string) => {
  const signingSecret = secrets.signingSecret();
  return { signingSecret, kept: { id: ids.next(), sealed: secrets.seal(signingSecret, owner) } };
};
