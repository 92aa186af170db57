/** Separates texts of one column: no text matches the end of one and the beginning of the next. */
export const SEPARATOR = '\n';

export const PATTERN_PARAMETERS = { name: 'text', sku: 'text?' } as const;

/** The patterns of LIKE for a part of a name or of a SKU. A text with a separator is in no SKU. */
export const patternValues = (q: string): { name: string; sku: string | null } => {
  const pattern = `%${q.replace(/[\\%_]/g, (special) => `\\${special}`)}%`;
  return { name: pattern, sku: q.includes(SEPARATOR) ? null : pattern };
};
