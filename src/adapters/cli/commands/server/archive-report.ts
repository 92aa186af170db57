import { OutcomeUnknown } from '../../../../domain/ports/transaction.ts';
import type { ArchiveReport, OnProgress } from '../../../wiring/archive/backup.ts';
import { forgetRemedy, keyLost } from '../../../wiring/keys/unopened.ts';
import type { CliContext } from '../../context.ts';
import { CommandFailure, EXIT } from '../../failure.ts';
import { createPrinter, type Printer, type PrintFlags } from '../../output/printer.ts';
import { megabytes } from '../../output/size.ts';
import { plural } from '../../../../domain/values/plural.ts';

export interface ArchivePrinter {
  readonly options: { readonly onProgress: OnProgress; readonly signal: AbortSignal };
  /** Runs the work. Throws a CommandFailure when it was interrupted before its end. */
  run<T>(work: () => Promise<T>): Promise<T>;
  done(what: string, report: ArchiveReport): void;
  readonly say: Printer['say'];
}

export const archivePrinter = ({ process, interrupted }: CliContext, flags: PrintFlags): ArchivePrinter => {
  const print = createPrinter(process, flags);
  const begun = performance.now();
  const signal = interrupted();
  return {
    options: {
      signal,
      onProgress: ({ table, rows }) => {
        print.sayMeanwhile(print.paint('dim', `${table}: ${plural(rows, 'row')} so far`));
      },
    },
    run: async (work) => {
      try {
        return await work();
      } catch (error) {
        const mayBeDone = error instanceof Error && error.cause instanceof OutcomeUnknown;
        if (signal.aborted && !mayBeDone) throw new CommandFailure('Stopped. Nothing was changed.', EXIT.interrupted);
        throw error;
      }
    },
    done: (what, report) => {
      const seconds = (performance.now() - begun) / 1000;
      if (flags.json === true) print.one({ ...report, seconds }, {});
      const media = report.mediaFiles > 0 ? ` and ${plural(report.mediaFiles, 'media file')}` : '';
      print.say(`${what}: ${plural(report.rows, 'row')}${media}, ${megabytes(report.bytes)}, ${seconds.toFixed(1)} s.`);
      const lost = new Map(Object.entries(report.lostSecrets));
      if (lost.size > 0) print.say(`${keyLost(lost)}. ${forgetRemedy(lost)}`);
    },
    say: print.say,
  };
};
