import { Link } from '@tanstack/react-router';

import type { MediaImportDetail } from '../../api/types.ts';
import { Panel } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { ITEM_HELP, ItemBadge } from './words.tsx';

type Items = MediaImportDetail['items'];

/** Failed images come first, then the order of the request applies. */
const sorted = (items: Items): Items =>
  [...items].sort((one, other) => Number(other.status === 'Failed') - Number(one.status === 'Failed'));

/** The images of an import, each with what happened. */
export const MediaItems = ({ storeId, items }: { readonly storeId: string; readonly items: Items }) => (
  <Panel title="Images" isFlush>
    <ul className="lines">
      {sorted(items).map(({ index, status, sourceUrl, productId, error, errorCode, retryAt, retryReason }) => (
        <li key={index}>
          <ItemBadge status={status} />
          <div className="grow">
            <code className="wrap">{sourceUrl}</code>
            {error !== null && <p className="tone-bad">{error}</p>}
            {retryAt !== null && (
              <p>
                {retryReason} The image is fetched again at <Time at={retryAt} />.
              </p>
            )}
            {errorCode !== null && <p className="mute">{ITEM_HELP[errorCode]}</p>}
          </div>
          <Link to="/stores/$storeId/products/$productId" params={{ storeId, productId }} className="button small">
            Product
          </Link>
        </li>
      ))}
    </ul>
  </Panel>
);
