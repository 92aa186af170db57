import { MAX_SEARCHED, type DeliveryFilter, type DeliveryPage } from '../../../src/domain/ports/webhooks/delivery-log.ts';
import type { Delivery } from '../../../src/domain/webhooks/shown-delivery.ts';

const isOneOf = <T>(value: T | null, wanted: readonly T[] | undefined): boolean =>
  wanted === undefined || (value !== null && wanted.includes(value));
const isSame = (value: string | null, wanted: string | undefined): boolean => wanted === undefined || value === wanted;

const isWithin = (time: number, since = -Infinity, until = Infinity): boolean => time >= since && time < until;

const matches = (row: Delivery, filter: DeliveryFilter): boolean =>
  isWithin(Date.parse(row.createdAt), filter.since, filter.until) &&
  isSame(row.installationId, filter.installationId) &&
  isSame(row.subscriptionId, filter.subscriptionId) &&
  isSame(row.eventId, filter.eventId) &&
  isSame(row.resourceId, filter.resourceId) &&
  isOneOf(row.status, filter.statuses) &&
  isOneOf(row.waitingBecause, filter.waitingBecause) &&
  isOneOf(row.eventType, filter.types) &&
  isOneOf(row.error, filter.errors);

export const firstPage = (rows: readonly Delivery[], filter: DeliveryFilter, take: number): DeliveryPage => {
  const searched = filter.resourceId === undefined ? rows.slice(0, MAX_SEARCHED) : rows;
  const items = searched.filter((row) => matches(row, filter));
  if (items.length > take) return { items: items.slice(0, take), next: items[take - 1]?.id ?? null };
  return { items, next: rows.length > searched.length ? (searched.at(-1)?.id ?? null) : null };
};
