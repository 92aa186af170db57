import type { ArchiveReport, OnProgress } from '../../../wiring/archive/report.ts';
import type { CliContext } from '../../context.ts';
import { CommandFailure, EXIT } from '../../failure.ts';
import { createPrinter } from '../../output/printer.ts';
import type { Printer, PrintFlags } from '../../output/printer.ts';

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

export interface ArchivePrinter {
  /** Says each table when it is done, and ends the work at Ctrl-C. */
  readonly options: { readonly onProgress: OnProgress; readonly signal: AbortSignal };
  /** Runs the work. Throws a CommandFailure when it was interrupted. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Says what is in the archive, with the words before it, as in "Wrote shop.backup". */
  done(what: string, report: ArchiveReport): void;
  /** Says one more line. */
  readonly say: Printer['say'];
}

/** What the commands of archives say. */
export const archivePrinter = ({ process, interrupted }: CliContext, flags: PrintFlags): ArchivePrinter => {
  const print = createPrinter(process, flags);
  const begun = performance.now();
  const signal = interrupted();
  return {
    options: {
      signal,
      onProgress: ({ table, rows }) => {
        if (process.stderr.isTTY === true) print.say(print.paint('dim', `${table}: ${String(rows)} rows so far`));
      },
    },
    run: async (work) => {
      try {
        return await work();
      } catch (error) {
        if (signal.aborted) throw new CommandFailure('Stopped. Nothing was changed.', EXIT.interrupted);
        throw error;
      }
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
