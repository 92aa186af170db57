/** The charsets in which spreadsheets save files. A file with a byte-order mark needs no choice. */
export const CHARSETS = [
  ['utf-8', 'UTF-8'],
  ['windows-1252', 'Western Europe (windows-1252)'],
  ['windows-1250', 'Central Europe (windows-1250)'],
  ['windows-1251', 'Cyrillic (windows-1251)'],
  ['windows-1253', 'Greek (windows-1253)'],
  ['windows-1254', 'Turkish (windows-1254)'],
  ['windows-1255', 'Hebrew (windows-1255)'],
  ['windows-1256', 'Arabic (windows-1256)'],
  ['windows-874', 'Thai (windows-874)'],
  ['shift_jis', 'Japanese (Shift_JIS)'],
  ['gb18030', 'Chinese (GB 18030)'],
  ['big5', 'Chinese (Big5)'],
  ['euc-kr', 'Korean (EUC-KR)'],
  ['utf-16le', 'UTF-16, little-endian'],
] as const;
