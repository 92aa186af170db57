export interface PatternMatcher {
  /**
   * Returns whether the pattern is a valid regular expression. Refuses look-around and
   * back-references, which RE2 does not support because they cannot be matched in linear time.
   */
  isPattern(pattern: string): boolean;
  /**
   * Returns whether the pattern matches anywhere in the text. Takes time linear in the length of
   * the text.
   */
  matches(pattern: string, text: string): boolean;
}
