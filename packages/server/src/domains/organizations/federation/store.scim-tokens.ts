import type { OrganizationTime } from '../../../platform/clock.ts'
import type { SqlStatementRunner, Tx } from '../../../platform/database/database.ts'
import { selectPage, type RowPage } from '../../../platform/database/select-page.ts'
import { sql } from '../../../platform/database/sql.ts'

export interface ScimTokenRow {
  readonly id: string
  readonly name: string
  /** The first characters of the token. */
  readonly prefix: string
  readonly created_by: string
  readonly created_at: Date
  readonly expires_at: Date | null
  readonly last_used_at: Date | null
  readonly revoked_at: Date | null
}

const columns = sql`t.id, t.name, t.prefix, t.created_by, t.created_at, t.expires_at, t.last_used_at, t.revoked_at`

export type NewScimToken = Omit<ScimTokenRow, 'last_used_at' | 'revoked_at'> & { readonly token_hash: string }

/** Needs the unscoped connection: the directory says of which organization a token is. */
export async function insertScimToken(tx: Tx, organization: string, row: NewScimToken): Promise<void> {
  await tx.query(sql`
    insert into scim_tokens (organization_id, id, name, prefix, created_by, created_at, expires_at)
    values (${organization}, ${row.id}, ${row.name}, ${row.prefix}, ${row.created_by}, ${row.created_at}, ${row.expires_at})`)
  await tx.query(sql`
    insert into scim_token_directory (token_hash, organization_id, token_id)
    values (${row.token_hash}, ${organization}, ${row.id})`)
}

/** Newest first. */
export const listScimTokens = (
  db: SqlStatementRunner,
  organization: string,
  window: { readonly limit: number; readonly offset: number },
): Promise<RowPage<ScimTokenRow>> =>
  selectPage<ScimTokenRow>(db, {
    columns,
    from: sql`scim_tokens t`,
    where: sql`t.organization_id = ${organization}`,
    orderBy: sql`t.created_at desc, t.id desc`,
    ...window,
  })

/** Tokens that are not revoked. */
export async function countScimTokens(tx: Tx, organization: string): Promise<number> {
  const [row] = await tx.query<{ count: number }>(sql`
    select count(*) as count from scim_tokens where organization_id = ${organization} and revoked_at is null`)
  return row?.count ?? 0
}

export async function findScimToken(
  db: SqlStatementRunner,
  organization: string,
  id: string,
): Promise<ScimTokenRow | null> {
  const [row] = await db.query<ScimTokenRow>(sql`
    select ${columns} from scim_tokens t where t.organization_id = ${organization} and t.id = ${id}`)
  return row ?? null
}

/** Revokes a token once; null if it is unknown or was revoked. Needs the unscoped connection. */
export async function markScimTokenRevoked(
  tx: Tx,
  organization: string,
  id: string,
  now: OrganizationTime,
): Promise<ScimTokenRow | null> {
  const [row] = await tx.query<ScimTokenRow>(sql`
    update scim_tokens t set revoked_at = ${now}
    where t.organization_id = ${organization} and t.id = ${id} and t.revoked_at is null
    returning ${columns}`)
  if (row)
    await tx.query(sql`delete from scim_token_directory where organization_id = ${organization} and token_id = ${id}`)
  return row ?? null
}

/** The token with this hash; null for an unknown or revoked one. Needs the unscoped connection. */
export async function findScimTokenByHash(
  unscoped: SqlStatementRunner,
  token_hash: string,
): Promise<(ScimTokenRow & { readonly organization_id: string }) | null> {
  const [place] = await unscoped.query<{ organization_id: string; token_id: string }>(sql`
    select organization_id, token_id from scim_token_directory where token_hash = ${token_hash}`)
  const row = place ? await findScimToken(unscoped, place.organization_id, place.token_id) : null
  return place && row && row.revoked_at === null ? { ...row, organization_id: place.organization_id } : null
}

/** Records a use; at most once in some minutes, so that requests of a directory do not wait for each other. */
export async function updateScimTokenUse(
  db: SqlStatementRunner,
  organization: string,
  id: string,
  { now, before }: { readonly now: OrganizationTime; readonly before: OrganizationTime },
): Promise<void> {
  await db.query(sql`
    update scim_tokens set last_used_at = ${now}
    where organization_id = ${organization} and id = ${id} and (last_used_at is null or last_used_at < ${before})`)
}
