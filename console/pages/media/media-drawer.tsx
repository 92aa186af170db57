import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';

import type { MediaImportDetail } from '../../api/types.ts';
import { Id } from '../../parts/copy.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Found } from '../../parts/found.tsx';
import { Facts } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { useAppName } from '../apps/use-app-name.ts';
import { MediaItems } from './media-items.tsx';
import { mediaImportQuery } from './queries.ts';
import { ImportBadge } from './words.tsx';

const Detail = ({ storeId, found }: { readonly storeId: string; readonly found: MediaImportDetail }) => {
  const { id, status, installationId, requestId, createdAt, finishedAt, items } = found;
  const appName = useAppName(storeId, [installationId]);
  return (
    <>
      <div className="row">
        <ImportBadge status={status} />
        <span className="mute">
          {items.filter((item) => item.status === 'Ready').length} of {items.length} images are ready
        </span>
      </div>
      <Facts
        facts={[
          ['Import', <Id key="i" value={id} />],
          [
            'App',
            <Link key="a" to="/stores/$storeId/apps/$appId" params={{ storeId, appId: installationId }}>
              {appName(installationId)}
            </Link>,
          ],
          ['Request', requestId === null ? <span className="mute">unknown</span> : <Id key="r" value={requestId} />],
          ['Created', <Time key="c" at={createdAt} />],
          ['Finished', finishedAt === null ? <span className="mute">not yet</span> : <Time key="f" at={finishedAt} />],
        ]}
      />
      <MediaItems storeId={storeId} items={items} />
    </>
  );
};

interface DrawerProps {
  readonly storeId: string;
  readonly importId: string;
  readonly onClose: () => void;
}

/** Shows an import with the result of each image, and advice. */
export const MediaDrawer = ({ storeId, importId, onClose }: DrawerProps) => {
  const found = useQuery(mediaImportQuery(importId));
  return (
    <Dialog kind="drawer" title="Media import" onClose={onClose}>
      <Found query={found} lines={6}>
        {(data) => <Detail storeId={storeId} found={data} />}
      </Found>
    </Dialog>
  );
};
