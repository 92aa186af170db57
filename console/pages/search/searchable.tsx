import { Facts } from '../../parts/page.tsx';

const IDS = 'Event, delivery, product, request, app, subscription, media import';

/** What can be searched. A request's id is in the X-Request-Id of its response. */
export const Searchable = () => (
  <div className="panel">
    <div className="dialog-body">
      <h2>What you can search</h2>
      <Facts
        facts={[
          ['The id of', IDS],
          ['A request', 'The X-Request-Id of its response: refused requests of the last 7 days, and requests that caused events'],
          ['An event', 'Its id, the id that you gave it, or the id of its order'],
          ['A product', 'Its id, its slug or a SKU'],
          ['An app', 'Its id or its client id'],
          ['An idempotency key', 'The key itself'],
        ]}
      />
      <p className="mute">Only whole values are found, not parts of them.</p>
    </div>
  </div>
);
