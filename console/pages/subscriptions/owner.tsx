import type { WatchedSubscription } from '../../api/types.ts';
import { Cause } from '../events/cause.tsx';

/** The event address of a platform app, which nobody on the store owns. */
export const EVENT_ADDRESS = 'Platform app, about itself';

/** An app, the merchant, or a platform app that learns of its installation. */
export const Owner = ({ storeId, subscription }: { readonly storeId: string; readonly subscription: WatchedSubscription }) =>
  subscription.platformAppId === null ? <Cause storeId={storeId} installationId={subscription.installationId} /> : EVENT_ADDRESS;
