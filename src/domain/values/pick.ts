export const pick = <T extends object>(record: T, fields: readonly (keyof T)[]): Record<string, unknown> =>
  Object.fromEntries(fields.map((field) => [field, record[field]]));
