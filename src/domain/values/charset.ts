/**
 * The name of the charset as TextDecoder spells it (`latin1` is `windows-1252`); UTF-8 without one,
 * null for one that is not known.
 */
export const charsetOf = (label: string | undefined): string | null => {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return null;
  }
};
