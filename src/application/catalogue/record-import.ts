import {
  keptErrors,
  SEEN_EVERY_SECONDS,
  type ImportOutcome,
  type ImportSource,
  GIVEN_UP_SECONDS,
} from '../../domain/catalogue/import-record.ts';
import { NO_COUNTS, type ImportItem, type ImportReport } from '../../domain/catalogue/product-import.ts';
import type { Cause } from '../../domain/cause.ts';
import { OWNER } from '../../domain/identity/operator.ts';
import type { ImportKey } from '../../domain/ports/catalogue/product-import-log.ts';
import type { Ports } from '../../domain/ports/index.ts';
import { retry } from '../../domain/retry.ts';
import { type JudgeImport, importProducts, type ImportOptions } from './import-products.ts';
import { judgeRemovals } from './judge-removals.ts';
import type { SaveProducts } from './save-products.ts';

/** No file can remove anything from a store without products. */
export const judgeImport =
  (ports: Pick<Ports, 'ids' | 'productExporter' | 'transaction'>, save: SaveProducts): JudgeImport =>
  async (cause, storeId) =>
    (await ports.productExporter.page(storeId, null, 1)).length === 0 ? null : judgeRemovals(ports, save, cause, storeId);

interface RecordedOptions extends ImportOptions {
  readonly source?: ImportSource;
}

/** Tries to record the end of an import, and the time between: the database may be away for a moment. */
const END_TRIES = 5;
const END_PAUSE_MS = 1_000;

/**
 * Never rejects: the report, or the error of the import, is what the caller has to know. What is not
 * recorded is given up by the sweep, as after a kill.
 */
const recordEnd = async (
  { clock, productImports }: Pick<Ports, 'clock' | 'productImports'>,
  key: ImportKey,
  outcome: ImportOutcome,
): Promise<void> => {
  const end = () => productImports.end(key, { ...outcome, errors: keptErrors(outcome.errors) });
  await retry(end, { tries: END_TRIES, pause: () => clock.pause(END_PAUSE_MS) }).catch(() => undefined);
};

/** Imports products, and records who did, what came of it and how it ended. A dry run has no record: it writes nothing. */
export const recordImport =
  (
    {
      clock,
      ids,
      productExporter,
      productImports,
      transaction,
    }: Pick<Ports, 'clock' | 'ids' | 'productExporter' | 'productImports' | 'transaction'>,
    save: SaveProducts,
  ) =>
  async (
    cause: Cause,
    storeId: string,
    items: AsyncIterable<ImportItem>,
    { source = { by: OWNER.name, fileName: null }, onProgress, ...options }: RecordedOptions = {},
  ): Promise<ImportReport> => {
    const judged = judgeImport({ ids, productExporter, transaction }, save);
    if (options.isDryRun) return importProducts(save)(cause, storeId, items, { onProgress, ...options });
    const key = { storeId, id: cause?.requestId ?? ids.next() };
    let outcome: ImportOutcome = { ...NO_COUNTS, ended: 'broken_off', errors: [] };
    let seenAt = clock.now();
    const note = async (): Promise<void> => {
      if (clock.now() - seenAt < SEEN_EVERY_SECONDS * 1000) return;
      seenAt = clock.now();
      await productImports.see(key, outcome);
    };
    const noting: SaveProducts = async (...given) => {
      await note();
      return save(...given);
    };
    const judging: JudgeImport = async (...given) => {
      const judge = await judged(...given);
      if (judge === null) return null;
      return { ...judge, add: async (items) => note().then(() => judge.add(items)) };
    };
    await productImports.begin(key, source);
    try {
      const report = await importProducts(noting, judging)(cause, storeId, items, {
        ...options,
        onProgress: (counts, errors) => {
          outcome = { ...outcome, ...counts, errors };
          onProgress?.(counts, errors);
        },
      });
      outcome = report;
      return report;
    } finally {
      await recordEnd({ clock, productImports }, key, outcome);
    }
  };

/** More than are interrupted by the kill of a server. */
const MAX_GIVEN_UP = 1_000;

/** Ends the records of imports whose server was killed. */
export const sweepProductImports =
  ({ productImports }: Pick<Ports, 'productImports'>) =>
  async (): Promise<void> => {
    await productImports.giveUp(GIVEN_UP_SECONDS, MAX_GIVEN_UP);
  };
