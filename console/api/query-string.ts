export type Query = Readonly<Record<string, string | number | boolean | readonly string[] | null | undefined>>;

/** A query string with `?`, or nothing. A list is repeated; what is empty is left out. */
export const queryOf = (query: Query): string => {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? (value as readonly string[]) : [value]) {
      if (one !== null && one !== undefined && one !== '') parameters.append(name, String(one));
    }
  }
  const text = parameters.toString();
  return text && `?${text}`;
};
