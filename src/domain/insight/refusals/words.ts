export interface Words {
  readonly name: string;
  readonly why: string;
  readonly help: string;
}
