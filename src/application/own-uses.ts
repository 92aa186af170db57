import type { Cause } from '../domain/cause.ts';
import type { Ports } from '../domain/ports/index.ts';
import { getOwnCallFigures } from './insight/get-call-figures.ts';
import { getReceiverFigures } from './insight/get-receiver-figures.ts';
import { searchOwn } from './insight/search.ts';
import type { WebhookSettings } from './webhooks/index.ts';
import { tryNow } from './webhooks/delivery/try-now.ts';
import { ofOwnSubscription } from './webhooks/of-own-subscription.ts';
import { redeliverOwnMatching } from './webhooks/redeliver.ts';

/** Use cases of an app's developers: the merchant's, limited to the app's own data. */
export const ownUses = (ports: Ports, settings: Pick<WebhookSettings, 'delivery'>) => {
  const attempt = tryNow(ports, settings.delivery);
  const ofOwn = ofOwnSubscription(ports);
  return {
    getOwnCallFigures: getOwnCallFigures(ports),
    getOwnReceiverFigures: ofOwn(getReceiverFigures(ports)),
    redeliverOwnMatching: redeliverOwnMatching(ports),
    searchOwn: searchOwn(ports),
    tryOwnNow: ofOwn((subscription, cause: Cause) => attempt(cause, subscription)),
  };
};
