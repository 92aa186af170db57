/**
 * Characters that show nothing, or change the order of the text around them. Joiners belong to words of many scripts and to emoji,
 * and deceive only beside ASCII. Right-to-left marks belong to names in Hebrew and Arabic.
 */
const DECEIVING = new RegExp(
  [
    String.raw`[\p{Cc}\u2028\u2029]`,
    String.raw`(?![\u200c-\u200f\ufe00-\ufe0f\u{e0100}-\u{e01ef}])\p{Default_Ignorable_Code_Point}`,
    String.raw`(?<![^\0-\x7f])[\u200c\u200d]`,
    String.raw`[\u200c\u200d](?![^\0-\x7f])`,
  ].join('|'),
  'u',
);

/** The name for a text without markup, such as a mail: a name from before the rule has replacement characters. */
export const plainName = (name: string): string => name.replaceAll(new RegExp(DECEIVING, 'gu'), '\ufffd');

/**
 * The rule that a name breaks which others read to decide: of a store, an app or an operator. Null when it is kept. Names that were
 * given before the rule stay as they are.
 */
export const nameFault = (name: string): string | null => {
  const found = DECEIVING.exec(name)?.[0];
  if (found === undefined) return null;
  const code = (found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return `must not contain U+${code}, which is not shown or changes how the text is shown`;
};
