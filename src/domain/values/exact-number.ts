const DIGIT_0 = 0x30;
const MINUS = 0x2d;
const UPPER_E = 0x45;
const LOWER_E = 0x65;

/** A double keeps every decimal of at most this many significant digits. */
const ALWAYS_EXACT_DIGITS = 15;
/** A double is never written with more significant digits. */
const MAX_DIGITS = 17;

interface Decimal {
  /** Significant digits: neither the first nor the last is 0. Empty for zero. */
  readonly digits: string;
  readonly exponent: number;
}

const withoutZeros = (digits: string): { readonly first: number; readonly end: number } => {
  let first = 0;
  while (digits.charCodeAt(first) === DIGIT_0) first += 1;
  let end = digits.length;
  while (end > first && digits.charCodeAt(end - 1) === DIGIT_0) end -= 1;
  return { first, end };
};

/**
 * Parses `-12.50e3`. Without regular expressions on digits, because a number may be as long as the
 * body.
 */
const decimalOf = (text: string): Decimal => {
  const [mantissa = '', power = '0'] = text.replace('E', 'e').split('e');
  const point = mantissa.indexOf('.');
  const digits = (point === -1 ? mantissa : mantissa.slice(0, point) + mantissa.slice(point + 1)).replace(/^[-+]/, '');
  const decimals = point === -1 ? 0 : mantissa.length - point - 1;
  const { first, end } = withoutZeros(digits);
  if (first === end) return { digits: '', exponent: 0 };
  return { digits: digits.slice(first, end), exponent: Number(power) - decimals + (digits.length - end) };
};

/** Significant digits of a double are few. Nothing is cut out here: a body may have 100,000 longer numbers. */
const hasTooManyDigits = (text: string): boolean => {
  let digits = 0;
  let last = 0;
  for (let at = 0; at < text.length && last <= MAX_DIGITS; at += 1) {
    const code = text.charCodeAt(at);
    if (code === LOWER_E || code === UPPER_E) break;
    if (code < DIGIT_0 || (code === DIGIT_0 && digits === 0)) continue;
    digits += 1;
    if (code !== DIGIT_0) last = digits;
  }
  return last > MAX_DIGITS;
};

const hasExponent = (text: string): boolean => text.includes('e') || text.includes('E');

/** Doubles of this size have all their bits. Smaller and larger ones lose digits. */
const isNormal = (size: number): boolean => size > 1e-290 && size < 1e290;

const isSurelyExact = (text: string): boolean =>
  text.length <= ALWAYS_EXACT_DIGITS && (!hasExponent(text) || isNormal(Math.abs(Number(text))));

/** JSON writes it as 0, and PostgreSQL keeps it as 0. */
const isNegativeZero = (text: string): boolean => text.charCodeAt(0) === MINUS && Number(text) === 0;

/**
 * A number is exact if reading and writing it gives the same number. `text` is a JSON number or a
 * string of digits with an optional decimal part. 9007199254740993, 0.12345678901234567891 and -0
 * are not kept.
 */
export const isExactNumber = (text: string): boolean => {
  if (isNegativeZero(text)) return false;
  if (isSurelyExact(text)) return true;
  if (hasTooManyDigits(text)) return false;
  const written = String(Number(text));
  if (written === text) return true;
  const given = decimalOf(text);
  const kept = decimalOf(written);
  return given.digits === kept.digits && given.exponent === kept.exponent;
};
