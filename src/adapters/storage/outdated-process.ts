/** This process is older than the schema allows. Its message is for the operator. */
export class OutdatedProcess extends Error {
  override readonly name = 'OutdatedProcess';
}
