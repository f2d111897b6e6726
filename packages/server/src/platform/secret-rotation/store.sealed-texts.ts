import type { KeyRing } from '../crypto/key-ring.ts'
import type { SqlStatementRunner } from '../database/database.ts'
import { sql, type Sql } from '../database/sql.ts'
import {
  encryptedColumns,
  encryptedDirectoryColumns,
  type EncryptedColumn,
  type EncryptedDirectoryColumn,
} from './sealed-columns.ts'

const names = [...encryptedColumns, ...encryptedDirectoryColumns].flatMap(({ table, id, column }) => [
  table,
  id,
  column,
])
type AnyColumn = EncryptedColumn | EncryptedDirectoryColumn

const name = (text: AnyColumn['table' | 'id' | 'column']): Sql => sql.identifier(text, names)

/** An encrypted text and its row. */
export interface EncryptedText {
  readonly id: string
  readonly sealed: string
}

/** The encrypted texts of an organization after a row, in the order of the rows. */
export const listEncryptedTexts = (
  db: SqlStatementRunner,
  organization: string,
  { table, id, column }: EncryptedColumn,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<EncryptedText[]> =>
  db.query<EncryptedText>(sql`
    select t.${name(id)}::text as id, t.${name(column)} as sealed from ${name(table)} t
    where t.organization_id = ${organization} and t.${name(column)} is not null and t.${name(id)}::text > ${after}
    order by t.${name(id)}::text limit ${limit}`)

/** Replaces an encrypted text; false if it was changed meanwhile, which was done with the current key. */
export async function updateEncryptedText(
  db: SqlStatementRunner,
  organization: string,
  { table, id, column }: EncryptedColumn,
  { text, sealed }: { readonly text: EncryptedText; readonly sealed: string },
): Promise<boolean> {
  const rows = await db.query(sql`
    update ${name(table)} set ${name(column)} = ${sealed}
    where organization_id = ${organization} and ${name(id)}::text = ${text.id} and ${name(column)} = ${text.sealed}
    returning 1`)
  return rows.length > 0
}

/** The encrypted texts of a table that belongs to no organization after a row; needs the unscoped connection. */
export const listEncryptedDirectoryTexts = (
  unscoped: SqlStatementRunner,
  { table, id, column }: EncryptedDirectoryColumn,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<EncryptedText[]> =>
  unscoped.query<EncryptedText>(sql`
    select ${name(id)}::text as id, ${name(column)} as sealed from ${name(table)}
    where ${name(column)} is not null and ${name(id)}::text > ${after}
    order by ${name(id)}::text limit ${limit}`)

/** Like `updateEncryptedText`. */
export async function updateEncryptedDirectoryText(
  unscoped: SqlStatementRunner,
  { table, id, column }: EncryptedDirectoryColumn,
  { text, sealed }: { readonly text: EncryptedText; readonly sealed: string },
): Promise<boolean> {
  const rows = await unscoped.query(sql`
    update ${name(table)} set ${name(column)} = ${sealed}
    where ${name(id)}::text = ${text.id} and ${name(column)} = ${text.sealed}
    returning 1`)
  return rows.length > 0
}

/** The stored keys that sign tokens; null before the first start. */
export async function findEncryptedSigningKeyRing(db: SqlStatementRunner): Promise<KeyRing | null> {
  const [row] = await db.query<KeyRing>(sql`select version, keys from signing_key_ring where id = 1`)
  return row ?? null
}

/** Replaces the stored keys as a new version; false if they were changed meanwhile. */
export async function updateEncryptedKeyRing(db: SqlStatementRunner, { version, keys }: KeyRing): Promise<boolean> {
  const rows = await db.query(sql`
    update signing_key_ring set version = ${version + 1}, keys = ${sql.json(keys)}::jsonb
    where id = 1 and version = ${version} returning 1`)
  return rows.length > 0
}
