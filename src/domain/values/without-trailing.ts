/**
 * The text without the repeats of `character` at its end. The pattern `/x+$/` would take quadratic
 * time on a long run of x.
 */
export const withoutTrailing = (text: string, character: string): string => {
  let end = text.length;
  while (text[end - 1] === character) end -= 1;
  return text.slice(0, end);
};
