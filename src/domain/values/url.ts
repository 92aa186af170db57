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

export const MAX_URL_LENGTH = 2048;

export const WEB_URL_RULE = 'must be an absolute http or https URL';

/** Accepts an absolute http or https URL without anything that a URL parser strips or repairs. */
export const isWebUrl = (text: string): boolean => /^https?:\/\/[^\s\\]+$/i.test(text) && parseUrl(text) !== null;

const LOOPBACK = /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/;

/** Takes the host of a URL. What is sent to a loopback address does not leave the machine. */
export const isLoopback = (hostname: string): boolean => LOOPBACK.test(hostname);

/**
 * Ports of other protocols, which browsers never dial (the fetch standard, "bad port"): a request
 * there would speak to a mail server or a shell.
 */
const BAD_PORTS: ReadonlySet<number> = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110, 111, 113,
  115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556,
  563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667,
  6668, 6669, 6679, 6697, 10080,
]);

/** The port of the URL where it belongs to another protocol than HTTP, otherwise null. */
export const badPortOf = ({ port }: URL): string | null => (port !== '' && BAD_PORTS.has(Number(port)) ? port : null);
