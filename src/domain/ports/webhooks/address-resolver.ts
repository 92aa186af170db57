export interface AddressResolver {
  /**
   * Returns every address of a name, as 4 or 16 bytes each. Returns a literal address as itself,
   * with or without brackets. Returns an empty list when the name does not resolve. Returns an
   * empty list when the name does not resolve in time.
   */
  resolve(host: string): Promise<readonly Uint8Array[]>;
}
