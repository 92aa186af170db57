import type { ReactNode } from 'react';

import { isHold } from '../../src/adapters/http/console/shared.ts';
import type { Delivery, Installation } from '../api/types.ts';

export type Tone = 'ok' | 'bad' | 'warn' | 'info' | 'mute';

/** A word with a colour. The word alone says what it means. */
export const Badge = ({ tone = 'mute', children }: { readonly tone?: Tone; readonly children: ReactNode }) => (
  <span className={`badge ${tone}`}>{children}</span>
);

/** Marks a store in which the developer of a platform app tries it. */
export const SandboxBadge = () => <Badge tone="info">Sandbox</Badge>;

const DELIVERY_TONE: Readonly<Record<Delivery['status'], Tone>> = {
  Waiting: 'info',
  Retrying: 'warn',
  Delivered: 'ok',
  Failed: 'bad',
  Dropped: 'mute',
};

/** A delivery that waits for more than its turn wants to be seen. */
export const DeliveryBadge = ({ status, waitingBecause }: Pick<Delivery, 'status' | 'waitingBecause'>) => (
  <Badge tone={isHold(waitingBecause) ? 'warn' : DELIVERY_TONE[status]}>{status}</Badge>
);

const APP_TONE: Readonly<Record<Installation['status'], Tone>> = { Installed: 'ok', Suspended: 'warn', Uninstalled: 'mute' };

export const AppBadge = ({ status }: { readonly status: Installation['status'] }) => (
  <Badge tone={APP_TONE[status]}>{status}</Badge>
);

/** An HTTP status; null when no response came. */
export const StatusBadge = ({ status }: { readonly status: number | null }) => {
  if (status === null) return <Badge tone="bad">no response</Badge>;
  return <Badge tone={status < 300 ? 'ok' : status < 500 ? 'warn' : 'bad'}>{status}</Badge>;
};
