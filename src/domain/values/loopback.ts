const LOOPBACK = /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/;

/** Takes the host of a URL. What is sent to a loopback address does not leave the machine. */
export const isLoopback = (hostname: string): boolean => LOOPBACK.test(hostname);
