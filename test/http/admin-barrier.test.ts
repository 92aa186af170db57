import request from 'supertest';
import { expect, it } from 'vitest';

import { adminRoutes } from '../../src/adapters/http/routes.ts';
import { admitApps } from '../../src/adapters/http/serving/admit/admit-app.ts';
import { bearerCredential } from '../../src/adapters/http/serving/admit/app-admission.ts';
import { FailedTokens } from '../../src/adapters/http/serving/admit/failed-tokens.ts';
import { trustsProxies } from '../../src/adapters/http/serving/listener/host.ts';
import { memoryApplication, memoryHttpApp } from '../support/http-app.ts';

it('an admin route that is mounted among those of apps admits nobody', async () => {
  const application = memoryApplication();
  const failures = new FailedTokens({ policy: { limit: 1, windowSeconds: 1 } });
  const admit = admitApps({ credential: bearerCredential(application), failures, trusts: trustsProxies([]) });
  const http = memoryHttpApp({ application, admit, routes: adminRoutes });
  expect((await request(http).get('/admin/stores')).status).toBe(401);
});
