import type { ShareLink } from '@swath/contract/schemas/share-link.ts'
import type { OrganizationTime } from '../../platform/clock.ts'
import type { SqlStatementRunner, Tx } from '../../platform/database/database.ts'
import { selectPage, type RowPage } from '../../platform/database/select-page.ts'
import type { DelegationStopReason } from '@swath/contract/delegations.ts'
import { delegationStopReasonSql } from '../../platform/database/statements/creator-condition.ts'
import { sql } from '../../platform/database/sql.ts'

export interface ShareLinkRow {
  readonly organization_id: string
  readonly id: string
  readonly project_id: string
  readonly target_type: ShareLink['target_type']
  readonly target_id: string
  readonly permission: ShareLink['permission']
  readonly token_sealed: string
  readonly password_hash: string
  readonly password_version: number
  /** The expiry of the API key that created the link, if it is earlier. */
  readonly expires_at: Date
  readonly revoked_at: Date | null
  /** The reason why it does not act for its creator any more; null while it does. */
  readonly stop_reason: DelegationStopReason | null
  readonly view_cap: number | null
  readonly cost_cap_credits: number | null
  readonly views: number
  readonly tiles: number
  readonly paid_tiles: number
  /** How items without a stretch of their own are shown; null as the platform does. Links from before 2.78 keep their look. */
  readonly default_stretch: 'natural' | 'linear' | null
  readonly downloads: number
  readonly cost_credits: number
  readonly last_accessed_at: Date | null
  readonly created_by: string | null
  readonly created_at: Date
  readonly updated_at: Date
}

export type NewShareLink = Pick<
  ShareLinkRow,
  | 'organization_id'
  | 'id'
  | 'project_id'
  | 'target_type'
  | 'target_id'
  | 'permission'
  | 'token_sealed'
  | 'password_hash'
  | 'expires_at'
  | 'created_by'
  | 'created_at'
>

export type ShareLinkChange = Pick<ShareLinkRow, 'permission' | 'view_cap' | 'cost_cap_credits'> & {
  /** Null leaves the expiry unchanged. */
  readonly expires_at: Date | null
  /** Null leaves the password unchanged. */
  readonly password_hash: string | null
}

export interface ShareLinkFilter {
  readonly organization: string
  readonly projects: readonly string[]
  readonly target_type: ShareLink['target_type'] | null
  readonly target_id: string | null
  readonly active: boolean | null
  readonly now: OrganizationTime
}

/** A link that an API key created acts until the key expires; the ids of keys and users never coincide. */
const expires_at = sql`
  least(l.expires_at, (
    select k.expires_at from api_keys k where k.organization_id = l.organization_id and k.id::text = l.created_by))`
const stop_reason = delegationStopReasonSql(
  { organization: sql`l.organization_id`, creator: sql`l.created_by`, project: sql`l.project_id` },
  null,
)

const columns = sql`
  l.organization_id, l.id, l.project_id, l.target_type, l.target_id, l.permission, l.token_sealed, l.password_hash,
  l.password_version, ${expires_at} as expires_at, l.revoked_at,
  ${stop_reason} as stop_reason, l.view_cap, l.cost_cap_credits, l.views, l.tiles, l.paid_tiles, l.default_stretch,
  l.downloads, l.cost_credits, l.last_accessed_at, l.created_by, l.created_at, l.updated_at`

export async function insertShareLink(tx: Tx, link: NewShareLink): Promise<ShareLinkRow> {
  await tx.query(sql`
    insert into share_links (organization_id, id, project_id, target_type, target_id, permission, token_sealed,
                                  password_hash, password_version, expires_at, created_by, created_at, updated_at)
    values (${link.organization_id}, ${link.id}, ${link.project_id}, ${link.target_type}, ${link.target_id},
            ${link.permission}, ${link.token_sealed}, ${link.password_hash}, 1, ${link.expires_at}, ${link.created_by},
            ${link.created_at}, ${link.created_at})`)
  // The expiry may be that of the key that creates the link, which RETURNING cannot look up on a distributed engine.
  return (await findShareLink(tx, link.organization_id, link.id))!
}

/** Inserts a token on the unscoped connection, since the token comes from a visitor. */
export async function insertShareToken(
  unscoped: SqlStatementRunner,
  organization: string,
  link: string,
  hash: string,
): Promise<void> {
  await unscoped.query(sql`
    insert into share_token_directory (token_hash, organization_id, link_id)
    values (${hash}, ${organization}, ${link})`)
}

export interface ShareTokenOwner {
  readonly organization_id: string
  readonly link_id: string
}

export async function findShareTokenOwner(unscoped: SqlStatementRunner, hash: string): Promise<ShareTokenOwner | null> {
  const [row] = await unscoped.query<ShareTokenOwner>(sql`
    select organization_id, link_id from share_token_directory where token_hash = ${hash}`)
  return row ?? null
}

export async function findShareLinkOrganization(
  unscoped: SqlStatementRunner,
  link: string,
): Promise<ShareTokenOwner | null> {
  const [row] = await unscoped.query<ShareTokenOwner>(sql`
    select organization_id, link_id from share_token_directory where link_id = ${link}`)
  return row ?? null
}

/** The link; with `lock` its row is locked until the transaction ends. */
export async function findShareLink(
  db: SqlStatementRunner,
  organization: string,
  id: string,
  lock = false,
): Promise<ShareLinkRow | null> {
  const [row] = await db.query<ShareLinkRow>(sql`
    select ${columns} from share_links l where l.organization_id = ${organization} and l.id = ${id}
    ${lock ? sql`for update of l` : sql.empty}`)
  return row ?? null
}

export async function updateShareLink(
  tx: Tx,
  {
    organization,
    id,
    change,
    now,
  }: {
    readonly organization: string
    readonly id: string
    readonly change: ShareLinkChange
    readonly now: OrganizationTime
  },
): Promise<ShareLinkRow | null> {
  const { password_hash } = change
  const [updated] = await tx.query(sql`
    update share_links as l
    set permission = ${change.permission}, expires_at = coalesce(${change.expires_at}::timestamptz, l.expires_at), view_cap = ${change.view_cap},
        cost_cap_credits = ${change.cost_cap_credits}, updated_at = ${now},
        password_hash = coalesce(${password_hash}::text, l.password_hash),
        password_version = l.password_version + case when ${password_hash}::text is null then 0 else 1 end
    where l.organization_id = ${organization} and l.id = ${id} and l.revoked_at is null
    returning l.id`)
  return updated ? findShareLink(tx, organization, id) : null
}

/** Keeps the time of the first revocation. */
export async function markShareLinkRevoked(
  tx: Tx,
  organization: string,
  id: string,
  now: OrganizationTime,
): Promise<void> {
  await tx.query(sql`
    update share_links set revoked_at = ${now}, updated_at = ${now}
    where organization_id = ${organization} and id = ${id} and revoked_at is null`)
}

const whereFilter = ({ organization, projects, target_type, target_id, active, now }: ShareLinkFilter) => {
  const isActive = sql`(l.revoked_at is null and ${stop_reason} is null and ${expires_at} > ${now} and (l.view_cap is null or l.views < l.view_cap))`
  return sql`
    l.organization_id = ${organization} and l.project_id = any(${projects}::uuid[])
    ${target_type === null ? sql.empty : sql`and l.target_type = ${target_type}`}
    ${target_id === null ? sql.empty : sql`and l.target_id = ${target_id}`}
    ${active === null ? sql.empty : sql`and ${isActive} = ${active}::boolean`}`
}

/** Newest first. */
export const listShareLinks = (
  db: SqlStatementRunner,
  filter: ShareLinkFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<RowPage<ShareLinkRow>> =>
  selectPage(db, {
    columns,
    from: sql`share_links l`,
    where: whereFilter(filter),
    orderBy: sql`l.created_at desc, l.id desc`,
    limit,
    offset,
  })
