/**
 * The parsed URL, or null when the text is not a URL. `URL.canParse` and `URL.parse` share native
 * code that is wrong for Latin-1 text in Node 20 when V8 has optimised the call, so the lint bans
 * both.
 */
export const parseUrl = (text: string, base?: string): URL | null => {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
};
