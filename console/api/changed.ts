/**
 * The members of a form that differ from what it began with. A PATCH keeps what it does not name: to send the rest
 * would put back what a colleague has changed meanwhile.
 */
export const changedOf = <T extends object>(before: T, after: T): Partial<T> => {
  const textsBefore = new Map(Object.entries(before).map(([name, value]) => [name, JSON.stringify(value)]));
  const changed = Object.entries(after).filter(([name, value]) => JSON.stringify(value) !== textsBefore.get(name));
  return Object.fromEntries(changed) as Partial<T>;
};
