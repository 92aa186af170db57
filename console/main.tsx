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
import './style/sheet.css';
import './style/checks.css';
import './style/combobox.css';
import './style/insight.css';

const RETRIES = 2;

/** The server may be on this machine. What the browser thinks of the network does not hold a request back, to be sent later. */
const networkMode = 'always';

const queries = new QueryClient({
  defaultOptions: {
    mutations: { networkMode },
    queries: {
      networkMode,
      staleTime: 5_000,
      // The server would refuse a refused request again.
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
