import { writeFileSync } from 'node:fs';
import type { Reporter, SerializedError, TestModule } from 'vitest/node';

import '../contract/left-out.ts';

/** A test of a contract. Its suite is named `<port> on <adapter>`. */
export interface ContractTest {
  readonly port: string;
  readonly adapter: string;
  readonly name: string;
  readonly result: 'passed' | 'failed' | 'not written' | 'not promised' | 'not run';
  /** The first line of the failure. */
  readonly message: string | null;
}

export interface ContractReport {
  readonly tests: readonly ContractTest[];
  /** Failures outside of tests: of a hook, of a file or of nothing that is known. */
  readonly errors: readonly { readonly where: string; readonly message: string }[];
}

const SUITE = /^(.+?) on ([^,]+)/;

const firstLine = (message: string): string => message.split('\n', 1)[0] ?? '';

const testsIn = (module: TestModule): ContractTest[] =>
  [...module.children.allTests()].flatMap((test) => {
    const [, port, adapter] = SUITE.exec(test.fullName) ?? [];
    if (port === undefined || adapter === undefined) return [];
    const { state, errors } = test.result();
    const left = test.meta().leftOut ?? 'not run';
    const result = state === 'passed' || state === 'failed' ? state : left;
    return [
      {
        port,
        adapter: adapter.split(' > ', 1)[0] ?? adapter,
        name: test.fullName,
        result,
        message: firstLine(errors?.[0]?.message ?? '') || null,
      },
    ];
  });

const errorsIn = (module: TestModule): ContractReport['errors'] => [
  ...module.errors().map(({ message }) => ({ where: module.relativeModuleId, message: firstLine(message) })),
  ...[...module.children.allSuites()].flatMap((suite) =>
    suite.errors().map(({ message }) => ({ where: `the hooks of ${suite.fullName}`, message: firstLine(message) })),
  ),
];

/** Writes what became of the contracts as JSON to `path`. `.ci/contracts.ts` prints it. */
export class WriteContractReport implements Reporter {
  constructor(private readonly path: string) {}

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const report: ContractReport = {
      tests: modules.flatMap(testsIn),
      errors: [
        ...modules.flatMap(errorsIn),
        ...unhandled.map(({ message }) => ({ where: 'outside of the tests', message: firstLine(message) })),
      ],
    };
    writeFileSync(this.path, JSON.stringify(report));
  }
}
