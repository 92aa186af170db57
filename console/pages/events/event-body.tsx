import type { SentEvent } from '../../api/types.ts';
import { Json } from '../../parts/json.tsx';

/** A larger body is sent with the id of its resource alone (docs/webhooks.md). */
const MOST_BYTES = 262_144;

/** Shows the body by its content: the server sends it without spaces. */
export const EventBody = ({ event }: { readonly event: SentEvent }) => {
  const { id, type, timestamp, storeId, data } = event;
  const whole = { id, type, timestamp, storeId, data };
  const isWhole = new TextEncoder().encode(JSON.stringify(whole)).length <= MOST_BYTES;
  return (
    <>
      {!isWhole && <p className="mute">The data is larger than 256 KB. Receivers get only the id of the resource.</p>}
      <Json value={isWhole ? whole : { ...whole, data: { id: event.resourceId } }} what="the body" />
    </>
  );
};
