const hasNul = (value: unknown): boolean => {
  if (typeof value === 'string') return value.includes('\0');
  if (value instanceof Uint8Array) return false;
  return typeof value === 'object' && value !== null && Object.entries(value).some((entry) => entry.some(hasNul));
};

type Method = (...given: unknown[]) => Promise<unknown>;

const NUL = 'U+0000 cannot be stored';

/** Keeps faults of a file as JSON, which escapes U+0000. */
const ESCAPES = 'productImports.end';

/** Ports that refuse U+0000, as every storage does. */
export const refusingNul = <Ports extends object>(given: Ports): Ports => {
  const guarded =
    (name: string, method: Method): Method =>
    (...args) =>
      name !== ESCAPES && hasNul(args) ? Promise.reject(new Error(NUL)) : method(...args);
  const wrapped = Object.entries(given).map(([name, port]) => [
    name,
    Object.fromEntries(
      Object.entries(port as object).map(([method, run]) => [method, guarded(`${name}.${method}`, run as Method)]),
    ),
  ]);
  return Object.fromEntries(wrapped) as Ports;
};

/**
 * Ports that note the first failure of a method, for `check` to throw when the work has caught it. Like every storage, they
 * refuse U+0000.
 */
export const noting = <Ports extends object>(given: Ports): { readonly ports: Ports; check(): void } => {
  let failure: { readonly error: unknown } | undefined;
  const note = (error: unknown): void => {
    failure ??= { error };
  };
  // The caller waits for the method's own promise, so that noting takes no turn of it.
  const noted =
    (method: Method): Method =>
    (...args) => {
      const done = hasNul(args) ? Promise.reject(new Error(NUL)) : method(...args);
      done.catch(note);
      return done;
    };
  const wrapped = Object.entries(given).map(([name, port]) => [
    name,
    Object.fromEntries(Object.entries(port as object).map(([method, run]) => [method, noted(run as Method)])),
  ]);
  return {
    ports: Object.fromEntries(wrapped) as Ports,
    check: () => {
      if (failure) throw failure.error;
    },
  };
};
