import type { WatchedSubscription } from '../../api/types.ts';
import { TYPES_BY_HEADING } from '../../generated/event-types.ts';

type EventType = WatchedSubscription['eventTypes'][number];

/** The types that the merchant can subscribe to. */
export const TYPE_GROUPS: readonly (readonly [title: string, types: readonly EventType[]])[] = Object.entries(TYPES_BY_HEADING);

/** The types that an app cannot subscribe to. */
export const MERCHANT_TYPES: readonly EventType[] = TYPES_BY_HEADING['Operations (merchant only)'];

export type { EventType };
