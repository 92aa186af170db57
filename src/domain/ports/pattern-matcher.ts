/** Regular expressions in RE2's syntax. */
export interface PatternMatcher {
  /** Whether the pattern is valid; look-around and back-references are unsupported, since they cannot be matched in linear time. */
  isPattern(pattern: string): boolean;
  /** Whether the pattern is found anywhere in the text, in a time linear in the text. */
  matches(pattern: string, text: string): boolean;
}
