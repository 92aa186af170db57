import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

import { onSignedOut } from './api/client.ts';
import { ApiError } from './api/problem.ts';
import { sessionQuery } from './api/queries.ts';
import { Toasts } from './parts/toast.tsx';
import { createConsoleRouter } from './router.tsx';
import './style/tokens.css';
import './style/base.css';
import './style/layout.css';
import './style/parts.css';
import './style/checks.css';
import './style/combobox.css';
import './style/insight.css';

const RETRIES = 2;

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // What the server refused, it refuses again.
      retry: (failures, error) => failures < RETRIES && !(error instanceof ApiError && error.status >= 400 && error.status < 500),
    },
  },
});

const router = createConsoleRouter(queries);

onSignedOut(() => {
  queries.clear();
  // Several requests may learn it at once. Were it asked for, the next of them would clear that away.
  queries.setQueryData(sessionQuery.queryKey, { ok: false });
  void router.invalidate();
});

/** The pages are small, and a server that is away for a moment does not keep a reader from the next one. */
const loadPages = (): void => {
  for (const route of Object.values(router.routesById)) {
    void router.loadRouteChunk(route)?.catch(() => undefined);
  }
};
/** The first page has the line for itself. */
const stopWaiting = router.subscribe('onResolved', () => {
  stopWaiting();
  if ('requestIdleCallback' in window) requestIdleCallback(loadPages, { timeout: 5_000 });
  else setTimeout(loadPages, 2_000);
});

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no element "root".');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <Toasts>
        <RouterProvider router={router} />
      </Toasts>
    </QueryClientProvider>
  </StrictMode>,
);
