import { Link } from '@tanstack/react-router';

import type { Delivery } from '../../api/types.ts';
import { Notice } from '../../parts/notice.tsx';
import { ERRORS } from './words.ts';
import { WHY_WAITING } from '../../../src/adapters/http/console/shared.ts';

interface StandingProps {
  readonly storeId: string;
  readonly delivery: Delivery;
}

/** Why the delivery has not reached its receiver, and what helps. Nothing where it has. */
export const Standing = ({ storeId, delivery }: StandingProps) => {
  const { status, waitingBecause, error, subscriptionId } = delivery;
  if (waitingBecause !== null) {
    const { name, help } = WHY_WAITING[waitingBecause];
    return (
      <Notice tone={waitingBecause === 'queued' ? 'info' : 'warn'} title={`Waiting: ${name}`}>
        <span>{help}</span>
        {waitingBecause === 'paused_after_failures' && (
          <div>
            <Link to="/stores/$storeId/subscriptions" params={{ storeId }} search={{ open: subscriptionId }}>
              See the receiver and its next probe
            </Link>
          </div>
        )}
      </Notice>
    );
  }
  if (error === null || status === 'Delivered') return null;
  return (
    <Notice tone={status === 'Failed' ? 'bad' : 'warn'} title={ERRORS[error].name}>
      {ERRORS[error].help}
    </Notice>
  );
};
