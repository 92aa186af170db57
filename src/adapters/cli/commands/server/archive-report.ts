import type { ArchiveReport, OnProgress } from '../../../wiring/archive/report.ts';
import type { CliContext } from '../../context.ts';
import { createPrinter } from '../../output/printer.ts';
import type { Printer, PrintFlags } from '../../output/printer.ts';

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

export interface ArchivePrinter {
  /** Says each table when it is done. */
  readonly onProgress: OnProgress;
  /** Says what is in the archive, with the words before it, as in "Wrote shop.backup". */
  done(what: string, report: ArchiveReport): void;
  /** Says one more line. */
  readonly say: Printer['say'];
}

/** What the commands of archives say. */
export const archivePrinter = ({ process }: CliContext, flags: PrintFlags): ArchivePrinter => {
  const print = createPrinter(process, flags);
  const begun = performance.now();
  return {
    onProgress: ({ table, rows }) => {
      if (process.stderr.isTTY === true) print.say(print.paint('dim', `${table}: ${String(rows)} rows so far`));
    },
    done: (what, report) => {
      const seconds = (performance.now() - begun) / 1000;
      if (flags.json === true) print.one({ ...report, seconds }, {});
      const media = report.mediaFiles > 0 ? ` and ${String(report.mediaFiles)} media files` : '';
      print.say(`${what}: ${String(report.rows)} rows${media}, ${megabytes(report.bytes)}, ${seconds.toFixed(1)} s.`);
      if (report.missingMediaFiles > 0) {
        print.say(`${String(report.missingMediaFiles)} media files are named by the database and missing in the storage.`);
      }
    },
    say: print.say,
  };
};
