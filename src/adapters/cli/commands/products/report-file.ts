import { constants } from 'node:fs';
import { access, stat, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import Papa from 'papaparse';

import type { ImportReport } from '../../../http/answers.ts';
import { CommandFailure, EXIT } from '../../failure.ts';

/** Checked before the import begins: afterwards the list of failures would be lost. */
export const checkReportFile = async (path: string, imported: string): Promise<void> => {
  if (resolve(path) === resolve(imported)) throw new CommandFailure('--report names the file to import.', EXIT.usage);
  const existing = await stat(path).catch(() => null);
  if (existing?.isDirectory()) throw new CommandFailure(`${path} is a directory. Give a file for --report.`, EXIT.usage);
  await access(existing ? path : dirname(resolve(path)), constants.W_OK).catch(() => {
    throw new CommandFailure(`${path} cannot be written. Give another file for --report.`, EXIT.usage);
  });
};

/** Excel takes a file for UTF-8 with this mark only. */
const BYTE_ORDER_MARK = '\uFEFF';

/** The console has the same expression. Papa Parse's own does not see a formula of several lines. */
const FORMULA = /^[=+\-@\t\r]/;

/** The failures as CSV (RFC 4180). A message that a spreadsheet would run as a formula is text for it. */
export const reportText = (errors: ImportReport['errors']): string =>
  `${BYTE_ORDER_MARK}${Papa.unparse({ fields: ['line', 'message'], data: [...errors] }, { escapeFormulae: FORMULA })}\r\n`;

export const writeReportFile = (path: string, { errors }: Pick<ImportReport, 'errors'>): Promise<void> =>
  writeFile(path, reportText(errors));
