import { PRODUCT } from '../../../domain/catalogue/fields/product-fields.ts';
import type { Field, Fields, RecordField } from '../../../domain/catalogue/fields/kinds.ts';
import type { FileNote } from '../../../domain/catalogue/product-import.ts';
import { count, damagedNote, isDamagedCode, trimmedNote, unchanged, unreadName, unreadNote, type Unread } from './note-texts.ts';

/** A file may have another unknown name in each line. */
const MAX_KEPT = 1_000;

const CODES: readonly string[] = ['variants.sku', 'variants.barcode'];

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;

/** Members of a file's documents that are not read, or not kept unchanged. */
export class MemberNotes {
  private readonly unread = new Map<string, Unread>();
  private readonly trimmedMembers = new Set<string>();
  private readonly trimmed = unchanged();
  private readonly damaged = unchanged();
  private readonly damagedMembers = new Set<string>();
  private line = 0;

  add(line: number, document: unknown): void {
    this.line = line;
    this.look(PRODUCT, document, '');
  }

  all(): FileNote[] {
    const messages = [...unreadNote('members', [...this.unread.values()]), ...trimmedNote(this.trimmed, this.trimmedMembers)];
    messages.push(...damagedNote(this.damaged, this.damagedMembers));
    return messages.map((message) => ({ about: { line: 1, message } }));
  }

  private look(field: Field, given: unknown, path: string): void {
    if (field.kind === 'text' && field.trim === true && typeof given === 'string' && given.trim() !== given) {
      this.trimmedMembers.add(path);
      count(this.trimmed, this.line);
    }
    if (CODES.includes(path)) this.judge(given, path);
    if (!isObject(given)) return;
    if (field.kind === 'record') this.lookAt(field, given, path);
    if (field.kind === 'list' || field.kind === 'map') for (const part of Object.values(given)) this.look(field.of, part, path);
  }

  private judge(code: unknown, path: string): void {
    if (typeof code !== 'string' || !isDamagedCode(code)) return;
    this.damagedMembers.add(path);
    count(this.damaged, this.line);
  }

  private lookAt({ fields, nests }: RecordField, given: Readonly<Record<string, unknown>>, path: string): void {
    for (const [name, value] of Object.entries(given)) {
      const full = path === '' ? name : `${path}.${name}`;
      // A nested document is of the same kind, without another in it.
      const nested: Field = { kind: 'record', isRow: true, fields };
      const field = name === nests ? nested : Object.hasOwn(fields, name) ? fields[name] : undefined;
      if (field) this.look(field, value, full);
      else this.miss(name, full, given, fields);
    }
  }

  private miss(name: string, full: string, given: object, fields: Fields): void {
    if (this.unread.size >= MAX_KEPT || this.unread.has(full)) return;
    const absent = Object.keys(fields).filter((field) => !Object.hasOwn(given, field));
    this.unread.set(full, unreadName(name, absent, full));
  }
}
