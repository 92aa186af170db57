import { linkOptions } from '@tanstack/react-router';

import type { Found } from '../../api/types.ts';

/** The server's words for a request that was not refused. It has no page of its own: its events are listed beside it. */
const CAUSED = 'Caused events';

export const isCause = ({ kind, title }: Found): boolean => kind === 'request' && title === CAUSED;

export const placeOf = (storeId: string, { kind, id, installationId }: Found) => {
  const params = { storeId };
  const places = {
    event: linkOptions({ to: '/stores/$storeId/events', params, search: { open: id } }),
    delivery: linkOptions({ to: '/stores/$storeId/deliveries', params, search: { open: id } }),
    product: linkOptions({ to: '/stores/$storeId/products/$productId', params: { storeId, productId: id } }),
    request: linkOptions({ to: '/stores/$storeId/requests', params, search: { open: id } }),
    key: linkOptions({
      to: '/stores/$storeId/keys',
      params,
      search: { key: id, ...(installationId !== null && { app: installationId }) },
    }),
    installation: linkOptions({ to: '/stores/$storeId/apps/$appId', params: { storeId, appId: id } }),
    subscription: linkOptions({
      to: '/stores/$storeId/subscriptions/$subscriptionId',
      params: { ...params, subscriptionId: id },
    }),
    media_import: linkOptions({ to: '/stores/$storeId/media', params, search: { open: id } }),
  };
  return places[kind];
};
