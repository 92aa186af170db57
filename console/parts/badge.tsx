import type { ReactNode } from 'react';

import type { Delivery, Installation } from '../api/types.ts';

export type Tone = 'ok' | 'bad' | 'warn' | 'info' | 'mute';

/** A word with a colour. The word alone says what it means. */
export const Badge = ({ tone = 'mute', children }: { readonly tone?: Tone; readonly children: ReactNode }) => (
  <span className={`badge ${tone}`}>{children}</span>
);

const DELIVERY_TONE: Readonly<Record<Delivery['status'], Tone>> = {
  Pending: 'info',
  Delivering: 'info',
  Delivered: 'ok',
  Failed: 'bad',
  Held: 'warn',
  Dropped: 'mute',
};

export const DeliveryBadge = ({ status }: { readonly status: Delivery['status'] }) => (
  <Badge tone={DELIVERY_TONE[status]}>{status}</Badge>
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
