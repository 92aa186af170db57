import { TourFailure } from './http.ts';

/** Does one step and prints its line: what `told` makes of its result. Throws a TourFailure that names the step. */
export const step = async <T>(title: string, work: () => Promise<T>, told: (result: T) => string): Promise<T> => {
  try {
    const result = await work();
    process.stdout.write(`✓ ${title}: ${told(result)}\n`);
    return result;
  } catch (error) {
    const why = error instanceof TourFailure ? error.message : String(error);
    throw new TourFailure(`${title}: ${why}`, { cause: error });
  }
};
