import type { Ports } from '../../domain/ports/index.ts';
import type { Refusal } from '../../domain/result.ts';
import type { Cidr } from '../../domain/webhooks/address.ts';
import { checkNewTarget } from '../../domain/webhooks/new-target.ts';
import { checkAddresses } from '../../domain/webhooks/subscription.ts';
import { parseTarget, type Target } from '../../domain/webhooks/webhook-url.ts';

/** Refuses a URL that a subscription gets now by what its name resolves to. */
export const judgeTarget = async (
  addresses: Ports['addresses'],
  { url, host, secure }: Target & { readonly url: string },
  allowed: readonly Cidr[],
): Promise<Refusal<'invalid'> | null> => {
  const found = await addresses.resolve(host);
  return checkAddresses(found, secure, allowed) ?? checkNewTarget({ url, host }, found, allowed);
};

/** All rules of the URL of a subscription. */
export const judgeUrl =
  ({ addresses }: Pick<Ports, 'addresses'>, allowed: readonly Cidr[]) =>
  async (url: string): Promise<Refusal<'invalid'> | null> => {
    const target = parseTarget(url);
    return target.ok ? judgeTarget(addresses, { url, ...target.value }, allowed) : target;
  };
