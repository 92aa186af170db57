import { GIVEN_UP_SECONDS } from '../../domain/catalogue/import-record.ts';
import type { Ports } from '../../domain/ports/index.ts';

/** More than are interrupted by the kill of a server. */
const MAX_GIVEN_UP = 1_000;

/** Ends the records of imports whose server was killed. */
export const sweepProductImports =
  ({ productImports }: Pick<Ports, 'productImports'>) =>
  async (): Promise<void> => {
    await productImports.giveUp(GIVEN_UP_SECONDS, MAX_GIVEN_UP);
  };
