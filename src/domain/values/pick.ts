export const pick = <T extends object, K extends keyof T>(record: T, fields: readonly K[]) =>
  Object.fromEntries(fields.map((field) => [field, record[field]])) as Pick<T, K>;
