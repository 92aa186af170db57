import type { Ports } from '../../domain/ports/index.ts';
import { notFound, type Result, type RefusalCode } from '../../domain/result.ts';

/** For a caller that knows the id of an installation alone: looks its store up, once. */
export const inItsStore =
  ({ locator }: Pick<Ports, 'locator'>) =>
  async <T, C extends RefusalCode>(
    installationId: string,
    use: (storeId: string) => Promise<Result<T, C>>,
  ): Promise<Result<T, C | 'not_found'>> => {
    const storeId = await locator.storeOf('installation', installationId);
    return storeId === null ? notFound('Installation') : use(storeId);
  };
