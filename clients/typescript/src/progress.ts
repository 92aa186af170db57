import { TenonError } from './tenon-error.ts';

/** The error of a walk whose cursor leads back to where it was. */
export const noProgress = (path: string): TenonError =>
  new TenonError({
    code: 'no_progress',
    message: `GET ${path}: The answers lead back to a place that was read before, so the walk would not end.`,
  });

/**
 * Takes the cursors of a walk in their order, and throws where one comes again. Of all of them it keeps two: the last, and
 * one that moves up whenever the steps since it have doubled, which a circle of any length meets (Brent's algorithm).
 */
export const createProgress = (path: string, first: string | undefined): ((cursor: string | undefined) => void) => {
  let [last, mark, steps, limit] = [first, first, 0, 1];
  return (cursor) => {
    if (cursor === last || cursor === mark) throw noProgress(path);
    last = cursor;
    steps += 1;
    if (steps < limit) return;
    [mark, steps, limit] = [cursor, 0, limit * 2];
  };
};
