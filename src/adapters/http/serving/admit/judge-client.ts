import type { CountHolder } from '../../../../application/identity/check-client.ts';
import { parseCredential } from '../../../../domain/identity/token.ts';
import type { Refusal } from '../../../../domain/result.ts';
import type { RequestLimits } from '../../handler.ts';
import { clientKey } from '../reply/rate-limit.ts';
import { TOO_MANY_BAD_SECRETS } from '../reply/refusals.ts';

/** Counts whose secret was right: on their store, and for a platform app on all stores together. */
const holderWithin =
  ({ limit }: RequestLimits): CountHolder =>
  async ({ key, appKey }) =>
    (await limit('token-client', key)) ?? (appKey && limit('token-app', appKey));

interface Judged {
  readonly ok: boolean;
  readonly code?: string;
}

/**
 * Judges client credentials, and counts afterwards. Right ones count for their holder. Wrong ones count for the client id and
 * the address together, so who knows a client id spends nothing of its holder. The text of a client id that cannot be one is
 * never counted: its sender chooses its content and its length.
 */
export const judgeClient = async <J extends Judged>(
  limits: RequestLimits,
  clientId: string,
  judge: (count: CountHolder) => Promise<J>,
): Promise<J | (Refusal<'rate_limited'> & { readonly reason: 'failed_secrets' })> => {
  const judged = await judge(holderWithin(limits));
  const isWrong = !judged.ok && judged.code === 'unauthenticated' && parseCredential('clientId', clientId);
  if (!isWrong) return judged;
  const tooMany = await limits.limit('token-failures', `${clientKey(clientId)} ${limits.sender}`);
  return tooMany ? TOO_MANY_BAD_SECRETS : judged;
};
