import type { Icon } from '../../icons/icon.tsx';
import { Ban, Blocks, Image, KeyRound, Package, Rss, Send, Webhook } from '../../icons/index.ts';
import type { Found } from '../../api/types.ts';

interface Kind {
  readonly name: string;
  readonly icon: Icon;
}

export const KINDS: Readonly<Record<Found['kind'], Kind>> = {
  event: { name: 'Event', icon: Rss },
  delivery: { name: 'Delivery', icon: Send },
  product: { name: 'Product', icon: Package },
  request: { name: 'Request', icon: Ban },
  key: { name: 'Idempotency key', icon: KeyRound },
  installation: { name: 'App', icon: Blocks },
  subscription: { name: 'Subscription', icon: Webhook },
  media_import: { name: 'Media import', icon: Image },
};
