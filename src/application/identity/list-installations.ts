import type { Installation } from '../../domain/identity/installation.ts';
import type { Page, PageOf } from '../../domain/page.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { notFound, ok } from '../../domain/result.ts';
import type { Result } from '../../domain/result.ts';

export const listInstallations =
  ({ installations }: Pick<Ports, 'installations'>) =>
  async (storeId: string, page: Page): Promise<Result<PageOf<Installation>, 'not_found'>> => {
    const listed = await installations.list(storeId, page);
    return listed ? ok(listed) : notFound('Store');
  };
