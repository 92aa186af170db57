export interface AddressResolver {
  /** Every address (4 or 16 bytes) of a name. A literal address is its own, with or without brackets. None when the name doesn't resolve yet, or not in time. */
  resolve(host: string): Promise<readonly Uint8Array[]>;
}
