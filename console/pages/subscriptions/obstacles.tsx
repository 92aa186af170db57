import { Link } from '@tanstack/react-router';

import { isPortal } from '../../api/client.ts';
import type { WatchedSubscription } from '../../api/types.ts';
import { Notice } from '../../parts/notice.tsx';
import { DEACTIVATED, HELP_FOR_APPS, OBSTACLES } from './words.ts';

interface ObstaclesProps {
  readonly storeId: string;
  readonly subscription: WatchedSubscription;
}

/** Why nothing is sent to the subscription, each with its remedy. */
export const Obstacles = ({ storeId, subscription: { installationId, health } }: ObstaclesProps) => {
  const { failingSince, deactivatedBecause, notDeliverableBecause } = health;
  if (notDeliverableBecause.length === 0) {
    if (failingSince === null) return null;
    return (
      <Notice tone="warn" title="The last attempt failed">
        Deliveries are still sent. After 10 failures in a row they are paused, and after 5 days without a success the subscription
        is deactivated.
      </Notice>
    );
  }
  return notDeliverableBecause.map((obstacle) => {
    const { name, tone, ...said } = OBSTACLES[obstacle];
    const { help, remedy } = isPortal ? { help: HELP_FOR_APPS[obstacle] ?? said.help, remedy: null } : said;
    return (
      <Notice key={obstacle} tone={tone} title={name}>
        <span>
          {obstacle === 'deactivated' && deactivatedBecause !== null && `${DEACTIVATED[deactivatedBecause]} `}
          {help}
        </span>
        {remedy === 'app' && installationId !== null && (
          <div>
            <Link to="/stores/$storeId/apps/$appId" params={{ storeId, appId: installationId }} className="button small">
              Open the app
            </Link>
          </div>
        )}
        {remedy === 'stores' && (
          <div>
            <Link to="/stores" className="button small">
              Open the stores
            </Link>
          </div>
        )}
      </Notice>
    );
  });
};
