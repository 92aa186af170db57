import { TourFailure } from './http.ts';

/**
 * Does one step and prints a line, which `describe` makes from the result. Throws a TourFailure
 * that names the step.
 */
export const step = async <T>(title: string, work: () => Promise<T>, describe: (result: T) => string): Promise<T> => {
  try {
    const result = await work();
    process.stdout.write(`✓ ${title}: ${describe(result)}\n`);
    return result;
  } catch (error) {
    const why = error instanceof TourFailure ? error.message : String(error);
    throw new TourFailure(`${title}: ${why}`, { cause: error });
  }
};
