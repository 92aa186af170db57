import type { Ports } from '../../domain/ports/index.ts';
import type { Refusal } from '../../domain/result.ts';
import type { Cidr } from '../../domain/webhooks/address.ts';
import { NAMES_BUSY } from '../../domain/webhooks/name-look-ups.ts';
import { checkNewTarget } from '../../domain/webhooks/new-target.ts';
import { checkAddresses } from '../../domain/webhooks/subscription.ts';
import { parseTarget, type Target } from '../../domain/webhooks/webhook-url.ts';

/** A URL, and who gave it: the name waits behind other names of the same asker alone. */
interface Judged extends Target {
  readonly url: string;
  readonly askedBy: string;
}

/** Refuses a URL that a subscription gets now by what its name resolves to. */
export const judgeTarget = async (
  addresses: Ports['addresses'],
  { url, host, secure, askedBy }: Judged,
  allowed: readonly Cidr[],
): Promise<Refusal<'invalid' | 'rate_limited'> | null> => {
  const found = await addresses.resolve(host, askedBy);
  if (found === 'busy') return NAMES_BUSY;
  return checkAddresses(found, secure, allowed) ?? checkNewTarget({ url, host }, found, allowed);
};

/** All rules of the event address of a platform app. */
export const judgeUrl =
  ({ addresses }: Pick<Ports, 'addresses'>, allowed: readonly Cidr[]) =>
  async (url: string): Promise<Refusal<'invalid' | 'rate_limited'> | null> => {
    const target = parseTarget(url);
    return target.ok ? judgeTarget(addresses, { url, ...target.value, askedBy: 'platform apps' }, allowed) : target;
  };
