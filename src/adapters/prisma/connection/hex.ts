/** A hash, which the domain has in hex, as PostgreSQL takes it. */
export const bytesOfHex = (hex: string): Buffer<ArrayBuffer> => Buffer.from(hex, 'hex');
