import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, SerializedError, TestModule } from 'vitest/node';

/** A file with at least one failure. `project` and `file` are null where Vitest does not know the origin of an error. */
export interface FailedFile {
  readonly project: string | null;
  readonly file: string | null;
  /** The full names of failed tests and suites, and the messages of other errors. */
  readonly names: readonly string[];
}

const namesOf = (module: TestModule): string[] => [
  ...module.errors().map(({ message }) => message),
  ...[...module.children.allSuites()].filter((suite) => suite.errors().length > 0).map(({ fullName }) => fullName),
  ...[...module.children.allTests('failed')].map(({ fullName }) => fullName),
];

const pathOf = ({ moduleId }: TestModule): string => relative(process.cwd(), moduleId);

/** The origin is a property that Vitest's workers set and its type does not name. */
const originOf = (error: SerializedError): unknown => error['VITEST_TEST_PATH'];

const failedFiles = (modules: readonly TestModule[], unhandled: readonly SerializedError[]): FailedFile[] => [
  ...modules
    .filter((module) => !module.ok())
    .map((module) => ({ project: module.project.name, file: pathOf(module), names: namesOf(module) })),
  ...unhandled.map((error) => {
    const module = modules.find(({ moduleId }) => moduleId === originOf(error));
    const names = [`Unhandled error: ${error.message}`];
    return module ? { project: module.project.name, file: pathOf(module), names } : { project: null, file: null, names };
  }),
];

/** Writes the failed files of a finished run as JSON to `path`. `.ci/again.ts` reads them. */
export class FailureReport implements Reporter {
  constructor(private readonly path: string) {}

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    writeFileSync(this.path, JSON.stringify(failedFiles(modules, unhandled)));
  }
}
