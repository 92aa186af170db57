import { Link } from '@tanstack/react-router';

import { isPortal } from '../api/client.ts';
import { Empty } from '../parts/empty.tsx';

/** Links to existing pages, at an address without a page. */
export const NotFound = () => (
  <>
    <h1 className="visually-hidden">Not found</h1>
    <Empty
      title="This page does not exist"
      actions={
        <>
          <Link to="/" className="button primary">
            {isPortal ? 'Open your app' : 'Open the console'}
          </Link>
          {!isPortal && (
            <Link to="/stores" className="button">
              See all stores
            </Link>
          )}
        </>
      }
    >
      Check the address, or begin at a page that exists.
    </Empty>
  </>
);

/** Outside of the frame of a page. */
export const NothingThere = () => (
  <main>
    <NotFound />
  </main>
);
