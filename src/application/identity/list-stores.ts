import type { Page, PageOf } from '../../domain/page.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { ok } from '../../domain/result.ts';
import type { Result } from '../../domain/result.ts';
import type { Store } from '../../domain/identity/store.ts';

export const listStores =
  ({ stores }: Pick<Ports, 'stores'>) =>
  async (page: Page): Promise<Result<PageOf<Store>>> =>
    ok(await stores.list(page));
