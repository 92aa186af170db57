import { isPortal } from '../../api/client.ts';
import type { Delivery } from '../../api/types.ts';

/** What a removed subscription is called. */
export const REMOVED = 'Deleted subscription';

/** To whom a delivery goes, with who subscribed below it. Everything that an app sees is its own. */
export const ReceiverName = ({ receiver: { name, url, owner } }: { readonly receiver: Delivery['receiver'] }) => (
  <span className="receiver">
    <span className="clip" title={url ?? REMOVED}>
      {name ?? REMOVED}
    </span>
    {!isPortal && <span className="clip mute">{owner ?? 'Merchant'}</span>}
  </span>
);
