import type { ImportReport } from '../../api/types.ts';
import { plural } from '../../parts/plural.ts';

type Ended = Pick<ImportReport, 'read' | 'failed' | 'ended'>;

const doneText = ({ read, failed }: Ended): string => {
  if (failed > 0) return `${(read - failed).toLocaleString()} of ${plural(read, 'product')}`;
  return read === 1 ? '1 product' : `all ${read.toLocaleString()} products`;
};

const clauseOf = (report: Ended, isDryRun: boolean): string => {
  if (report.ended === 'refused') return `nothing from the file ${isDryRun ? 'would be' : 'was'} imported`;
  if (report.ended === 'stopped') return 'it was stopped before the end of the file';
  if (report.read === 0) return 'the file has no products';
  return `${doneText(report)} ${isDryRun ? 'would be imported' : 'imported'}`;
};

/** Says what an import did or would do. */
export const titleOf = (report: Ended, isDryRun: boolean): string => {
  const clause = clauseOf(report, isDryRun);
  return isDryRun ? `Dry run: ${clause}` : `${clause.charAt(0).toUpperCase()}${clause.slice(1)}`;
};

/** True when the whole file was imported without a fault. */
export const isGood = ({ read, failed, ended }: Ended): boolean => ended === 'complete' && read > 0 && failed === 0;

/** True when a dry run found something to import. A stopped one may have missed it. */
export const isOfUse = ({ read, failed, ended }: Ended): boolean =>
  ended === 'stopped' || (ended === 'complete' && read > failed);

/** Explains the question before an import. */
export const removalsText = ({ variants, ofVariants, stock }: NonNullable<ImportReport['wouldRemove']>): string =>
  `The import would remove ${variants.toLocaleString()} of ${plural(ofVariants, 'variant')} of the products in the file, with ${plural(stock, 'unit')} of stock. Nothing was written.`;

type Removed = Pick<ImportReport, 'variantsRemoved' | 'imagesRemoved' | 'stockRemoved'>;

/** Lists what an import removes. Null if it removes nothing. */
export const removedList = ({ variantsRemoved, imagesRemoved, stockRemoved }: Removed): string | null => {
  const parts = [
    ...(variantsRemoved > 0 ? [plural(variantsRemoved, 'variant')] : []),
    ...(imagesRemoved > 0 ? [plural(imagesRemoved, 'image')] : []),
    ...(stockRemoved > 0 ? [`${plural(stockRemoved, 'unit')} of stock`] : []),
  ];
  return parts.length === 0 ? null : parts.join(', ');
};
