import { ExampleFailure } from '../host/http.ts';

/**
 * Does one step and prints a line, which `describe` makes from the result. Throws a ExampleFailure
 * that names the step.
 */
export const step = async <T>(title: string, work: () => Promise<T>, describe: (result: T) => string): Promise<T> => {
  try {
    const result = await work();
    process.stdout.write(`✓ ${title}: ${describe(result)}\n`);
    return result;
  } catch (error) {
    const why = error instanceof ExampleFailure ? error.message : String(error);
    throw new ExampleFailure(`${title}: ${why}`, { cause: error });
  }
};
