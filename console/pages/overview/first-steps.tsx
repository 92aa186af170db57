import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

import { CircleCheck, CircleDashed } from '../../icons/index.ts';
import { api } from '../../api/client.ts';
import { appsQuery } from '../../api/queries.ts';
import type { Page as ListPage } from '../../api/types.ts';
import { Panel } from '../../parts/page.tsx';
import { subscriptionsQuery } from '../subscriptions/queries.ts';

interface StepProps {
  readonly isDone: boolean;
  readonly title: ReactNode;
  readonly children: ReactNode;
}

const Step = ({ isDone, title, children }: StepProps) => (
  <li>
    {isDone ? <CircleCheck size={18} className="tone-ok" aria-label="Done" /> : <CircleDashed size={18} aria-label="To do" />}
    <div>
      <strong>{title}</strong>
      <p className="mute">{children}</p>
    </div>
  </li>
);

/** Steps that a new store needs before anything is sent. Hidden once all are done. */
export const FirstSteps = ({ storeId }: { readonly storeId: string }) => {
  const apps = useQuery(appsQuery(storeId, { status: ['Installed', 'Suspended'], take: 1 }));
  const products = useQuery({
    queryKey: ['product-count', storeId],
    queryFn: ({ signal }) => api.get<ListPage<unknown>>(`/stores/${storeId}/products`, { take: 1 }, signal),
  });
  const subscriptions = useQuery(subscriptionsQuery(storeId, { take: 1 }));
  if (!apps.data || !products.data || !subscriptions.data) return null;
  const has = {
    products: products.data.total > 0,
    apps: apps.data.total > 0,
    subscriptions: subscriptions.data.total > 0,
  };
  if (has.products && has.apps && has.subscriptions) return null;
  const params = { storeId };
  return (
    <Panel title="First steps" isFlush>
      <ol className="steps">
        <Step
          isDone={has.products}
          title={
            <Link to="/stores/$storeId/import" params={params}>
              Import products
            </Link>
          }
        >
          From a Shopify CSV export, or from product documents.
        </Step>
        <Step
          isDone={has.apps}
          title={
            <Link to="/stores/$storeId/apps" params={params}>
              Install an app
            </Link>
          }
        >
          You choose what it may read and write, and get its credentials.
        </Step>
        <Step
          isDone={has.subscriptions}
          title={
            <Link to="/stores/$storeId/subscriptions" params={params}>
              Subscribe to events
            </Link>
          }
        >
          The app subscribes through its API, or you add your own subscription.
        </Step>
      </ol>
    </Panel>
  );
};
