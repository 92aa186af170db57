import { checkRedirectUrl, sortedScopes, type Manifest, type PlatformApp } from '../../domain/identity/platform-app.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { ok, type Refusal, type Result } from '../../domain/result.ts';
import { newClientSecret, newCredential, signingSecretFor } from './new-credential.ts';

/**
 * The only place where the secrets can be read: of the client secret only a hash is kept, of the
 * signing secret its sealed form.
 */
export interface RegisteredApp {
  readonly app: PlatformApp;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly signingSecret: string;
}

export const checkRedirectUrls = (urls: readonly string[]): Refusal<'invalid'> | null => {
  for (const url of urls) {
    const refusal = checkRedirectUrl(url);
    if (refusal) return refusal;
  }
  return null;
};

/** Refuses an address to which no subscription may be sent. */
export type JudgeUrl = (url: string) => Promise<Refusal<'invalid' | 'rate_limited'> | null>;

export const judgeEventUrl = async (judge: JudgeUrl, url: string | null): Promise<Refusal<'invalid' | 'rate_limited'> | null> => {
  const refusal = url === null ? null : await judge(url);
  return refusal && { ...refusal, message: refusal.message.replace(/^url\b/, 'eventUrl') };
};

interface NewApp extends Manifest {
  readonly name: string;
  readonly eventUrl: string | null;
}

/** Makes an app that many stores can install. No store has it before its merchant consents. */
export const createPlatformApp =
  ({ ids, platformApps, secrets }: Pick<Ports, 'ids' | 'platformApps' | 'secrets'>, judge: JudgeUrl) =>
  async ({ name, redirectUrls, eventUrl, ...asked }: NewApp): Promise<Result<RegisteredApp, 'invalid' | 'rate_limited'>> => {
    const refusal = checkRedirectUrls(redirectUrls) ?? (await judgeEventUrl(judge, eventUrl));
    if (refusal) return refusal;
    const id = ids.next();
    const clientId = newCredential(secrets, 'clientId');
    const { clientSecret, kept: ofClient } = newClientSecret({ ids, secrets });
    const { signingSecret, kept: ofSigning } = signingSecretFor({ ids, secrets }, id);
    const app = await platformApps.create({
      id,
      name,
      clientId,
      redirectUrls,
      eventUrl,
      ...sortedScopes(asked),
      clientSecret: ofClient,
      signingSecret: ofSigning,
    });
    return ok({ app, clientId, clientSecret, signingSecret });
  };
