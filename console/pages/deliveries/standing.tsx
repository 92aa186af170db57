import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import type { Delivery } from '../../api/types.ts';
import { Notice } from '../../parts/notice.tsx';
import { ERRORS } from './words.ts';

interface StandingProps {
  readonly storeId: string;
  readonly delivery: Delivery;
}

const help = ({ error }: Delivery): ReactNode => error !== null && ERRORS[error].help;

/** Why the delivery has not reached its receiver, and what helps. Nothing where it has. */
export const Standing = ({ storeId, delivery }: StandingProps) => {
  const { status, error, subscriptionId } = delivery;
  if (status === 'Held') {
    return (
      <Notice tone="warn" title="Held">
        <span>
          The app is suspended, the store is inactive, or the receiver failed many times in a row and Tenon waits before it tries
          again. The delivery is sent when that ends.
        </span>
        <Link to="/stores/$storeId/subscriptions" params={{ storeId }} search={{ open: subscriptionId }}>
          See why the subscription is not receiving
        </Link>
      </Notice>
    );
  }
  if (error === null || status === 'Delivered') return null;
  return (
    <Notice tone={status === 'Failed' ? 'bad' : 'warn'} title={ERRORS[error].name}>
      {help(delivery)}
    </Notice>
  );
};
