/**
 * The parsed URL, or null when the text is not one. `URL.canParse` and `URL.parse` share native code that
 * Node 20 gets wrong for Latin-1 text once V8 has optimised the call, so ESLint bans both.
 */
export const parseUrl = (text: string, base?: string): URL | null => {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
};
