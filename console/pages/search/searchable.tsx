import { isPortal } from '../../api/client.ts';
import { Facts } from '../../parts/page.tsx';

const FACTS = [
  [
    'A part of',
    'The name or SKU of a product, the name of an app, the URL or description of a receiver, the name or domain of a store',
  ],
  ['A type', 'An event type, as order.paid: its events'],
  ['The id of', 'Event, delivery, product, request, app, subscription, media import'],
  ['A request', 'The X-Request-Id of its response: refused requests that the server keeps, and requests that caused events'],
  ['An event', 'Its id, the id that you gave it, or the id of its order'],
  ['A product', 'Its slug'],
  ['An app', 'Its client id'],
  ['An idempotency key', 'The key itself'],
] as const;

/** Kinds of things that an app can search. */
const OWN_FACTS = [
  ['A part of', 'The URL or description of a receiver'],
  ['A type', 'An event type, as order.paid: its events'],
  ['The id of', 'Event, delivery, subscription'],
  ['A product or order', 'Its id: the newest deliveries about it'],
  ['A request', 'The X-Request-Id of its response, for refused requests that the server keeps'],
  ['An idempotency key', 'The key itself'],
] as const;

/** Explains what can be searched. A request's id is in the X-Request-Id of its response. */
export const Searchable = () => (
  <div className="panel">
    <div className="dialog-body">
      <h2>What you can search</h2>
      <Facts facts={isPortal ? OWN_FACTS : FACTS} />
    </div>
  </div>
);
