import type { ContractReport, ContractTest } from '../test/support/contract-report.ts';

const RESULTS: readonly ContractTest['result'][] = ['passed', 'not written', 'not promised', 'failed', 'not run'];

const countsOf = (tests: readonly ContractTest[]): string => {
  if (tests.length === 0) return '-';
  const parts = RESULTS.map((result) => [tests.filter((test) => test.result === result).length, result] as const);
  return parts
    .filter(([count]) => count > 0)
    .map(([count, result]) => `${String(count)} ${result}`)
    .join(', ');
};

/** The ports and the totals of each adapter as a table, then what failed. */
export const linesOf = ({ tests, errors }: ContractReport): readonly string[] => {
  const adapters = [...new Set(tests.map(({ adapter }) => adapter))].sort();
  const ports = [...new Set(tests.map(({ port }) => port))].sort((one, other) => one.localeCompare(other));
  const row = (title: string, isMeant: (test: ContractTest) => boolean): string[] => [
    title,
    ...adapters.map((name) => countsOf(tests.filter((test) => test.adapter === name && isMeant(test)))),
  ];
  const table = [['Port', ...adapters], ...ports.map((port) => row(port, (test) => test.port === port)), row('All', () => true)];
  const widths = table[0]?.map((_, column) => Math.max(...table.map((line) => line[column]?.length ?? 0))) ?? [];
  const failed = tests.filter(({ result }) => result === 'failed');
  return [
    ...table.map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    ),
    ...failed.map(({ name, message }) => `Failed: ${name}: ${message ?? 'no message'}`),
    ...errors.map(({ where, message }) => `Failed: ${where}: ${message}`),
  ];
};
