import type { Sketch } from './product.ts';

/** A map from locale to texts. A text that a translation leaves out is as in `empty`. */
export const completeTranslations = <T extends object>(
  given: Record<string, Sketch<T> | undefined> | undefined,
  empty: T,
): Record<string, T> =>
  Object.fromEntries(
    Object.entries(given ?? {}).map(([locale, texts]) => [
      locale,
      Object.fromEntries(
        Object.entries(empty).map(([field, none]: [string, unknown]) => [
          field,
          (texts as Record<string, unknown> | undefined)?.[field] ?? none,
        ]),
      ) as T,
    ]),
  );
