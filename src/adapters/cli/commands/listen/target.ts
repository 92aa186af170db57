import { parseUrl } from '../../../../domain/values/url.ts';
import type { CliProcess } from '../../context.ts';
import { CommandFailure, EXIT } from '../../failure.ts';

/** The URL of a receiver. Throws a CommandFailure with what to write. */
export const parseTarget = (text: string): string => {
  const url = parseUrl(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') {
    throw new CommandFailure('expected a URL such as http://localhost:3000/webhooks, without a password', EXIT.usage);
  }
  return url.href;
};

const SECRET = /^whsec_[A-Za-z0-9+/]{32,86}={0,2}$/;

/** The signing secret of the environment; undefined when there is none. Throws a CommandFailure. */
export const givenSecret = (env: CliProcess['env']): string | undefined => {
  const secret = env['TENON_SIGNING_SECRET']?.trim() || undefined;
  if (secret !== undefined && !SECRET.test(secret)) {
    throw new CommandFailure('TENON_SIGNING_SECRET must be whsec_ and 24 to 64 bytes in base64.', EXIT.usage);
  }
  return secret;
};
