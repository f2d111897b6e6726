import type { DelegationKind, StopReason } from '@swath/contract/delegations.ts'
import type { OrganizationTime } from '../../platform/clock.ts'
import type { Queryable, Tx } from '../../platform/database/database.ts'
import { stopReasonSql, writingProjectRoles } from '../../platform/database/statements/maker-condition.ts'
import { selectPage, type RowPage } from '../../platform/database/select-page.ts'
import { sql, type Sql } from '../../platform/database/sql.ts'

export interface DelegationRow {
  readonly kind: DelegationKind
  readonly id: string
  readonly name: string
  readonly project_id: string | null
  readonly user_id: string | null
  readonly api_key_id: string | null
  readonly stop_reason: StopReason | null
  readonly created_at: Date
}

/** How the rows of a table, with the alias `d`, delegate, and how a user takes one over. */
interface DelegationSource {
  readonly from: Sql
  readonly maker: Sql
  readonly name: Sql
  readonly project: Sql
  /** Roles in the project that it needs; by default any. */
  readonly roles?: readonly string[]
  /** The rows that would act now if their maker may. */
  isOpen(now: OrganizationTime): Sql
  /** The assignments that make the user its maker. */
  takeOver(user: string, now: OrganizationTime): Sql
}

const always = (): Sql => sql`true`
const noProject = sql`null::uuid`
const makerOfUserAndKey = sql`coalesce(d.created_by_key, d.created_by)::text`
const byUserAlone = (user: string): Sql => sql`created_by = ${user}::uuid, created_by_key = null`

const sources: Readonly<Record<DelegationKind, DelegationSource>> = {
  api_key: {
    from: sql`api_keys`,
    maker: sql`d.created_by::text`,
    name: sql`d.name`,
    project: noProject,
    isOpen: (now) => sql`d.revoked_at is null and (d.expires_at is null or d.expires_at > ${now})`,
    takeOver: (user) => sql`created_by = ${user}::uuid`,
  },
  tile_token: {
    from: sql`tile_tokens`,
    maker: sql`coalesce(d.key_id, d.issuer)::text`,
    name: sql`d.name`,
    project: sql`coalesce(
      (select i.project_id from items i where i.organization_id = d.organization_id and i.id = d.item_id),
      (select c.project_id from collections c where c.organization_id = d.organization_id and c.id = d.collection_id))`,
    isOpen: (now) => sql`d.revoked_at is null and d.expires_at > ${now}`,
    takeOver: (user) => sql`issuer = ${user}::uuid, key_id = null`,
  },
  share_link: {
    from: sql`share_links`,
    maker: sql`d.created_by`,
    name: sql`d.target_type || ' ' || d.target_id`,
    project: sql`d.project_id`,
    isOpen: (now) => sql`d.revoked_at is null and d.expires_at > ${now}`,
    takeOver: (user) => sql`created_by = ${user}`,
  },
  event_subscription: {
    from: sql`event_subscriptions`,
    maker: makerOfUserAndKey,
    name: sql`coalesce(d.description, d.event_type)`,
    project: sql`d.project_id`,
    isOpen: () => sql`d.active and d.webhook_id is null`,
    takeOver: byUserAlone,
  },
  webhook: {
    from: sql`webhooks`,
    maker: makerOfUserAndKey,
    name: sql`d.name`,
    project: sql`d.project_id`,
    isOpen: always,
    takeOver: byUserAlone,
  },
  report_schedule: {
    from: sql`report_schedules`,
    maker: sql`coalesce(d.created_by_key, d.user_id)::text`,
    name: sql`d.name`,
    project: sql`d.project_id`,
    isOpen: always,
    takeOver: (user, now) =>
      sql`user_id = ${user}::uuid, created_by_key = null, ended_reason = null, next_run_at = coalesce(next_run_at, ${now})`,
  },
  saved_search: {
    from: sql`saved_searches`,
    maker: sql`d.created_by`,
    name: sql`d.name`,
    project: sql`d.project_id`,
    isOpen: () => sql`d.next_run_at is not null`,
    takeOver: (user, now) => sql`created_by = ${user}, next_run_at = ${now}`,
  },
  standing_order: {
    from: sql`standing_orders`,
    maker: sql`d.created_by::text`,
    name: sql`d.name`,
    project: sql`d.project_id`,
    roles: writingProjectRoles,
    isOpen: () => sql`d.status <> 'paused'`,
    takeOver: (user) => sql`created_by = ${user}::uuid, status = 'active', status_reason = null`,
  },
  alert_rule: {
    from: sql`alert_rules`,
    maker: sql`d.created_by`,
    name: sql`d.name`,
    project: sql`d.project_id`,
    isOpen: () => sql`d.active`,
    takeOver: (user) => sql`created_by = ${user}, user_id = ${user}::uuid`,
  },
}

const kinds = Object.keys(sources) as DelegationKind[]

/** The delegations of one kind, with their stop reasons. */
function selectKind(organization: string, kind: DelegationKind, now: OrganizationTime): Sql {
  const { from, maker, name, project, roles, isOpen } = sources[kind]
  const made = { organization: sql`d.organization_id`, maker, project, ...(roles ? { roles } : {}) }
  return sql`
    select ${kind}::text as kind, d.id, ${name} as name, ${project} as project_id, ${maker} as maker, d.created_at,
      ${stopReasonSql(made, now)} as stop_reason
    from ${from} d where d.organization_id = ${organization} and ${isOpen(now)}`
}

const selectAll = (organization: string, now: OrganizationTime): Sql => sql`(
  select made.kind, made.id, made.name, made.project_id, made.created_at, made.stop_reason, k.id as api_key_id,
    coalesce(k.created_by::text, made.maker) as user_id
  from (${sql.join(
    kinds.map((kind) => selectKind(organization, kind, now)),
    sql` union all `,
  )}) made
  left join api_keys k on k.organization_id = ${organization} and k.id::text = made.maker) delegations`

const columns = sql`kind, id, name, project_id, user_id, api_key_id, stop_reason, created_at`

export interface DelegationFilter {
  readonly organization: string
  readonly now: OrganizationTime
  /** Only what does not act any more. */
  readonly stopped: boolean
  /** Only what acts for this user; null for all. */
  readonly user?: string | null
  /** Only what was made with this API key; null for all. */
  readonly api_key?: string | null
  readonly limit: number
  readonly offset?: number
}

/** A page of what users and API keys have made that acts for them, newest first. */
export const listDelegations = (
  db: Queryable,
  { organization, now, stopped, user = null, api_key = null, limit, offset = 0 }: DelegationFilter,
): Promise<RowPage<DelegationRow>> =>
  selectPage<DelegationRow>(db, {
    columns,
    from: selectAll(organization, now),
    where: sql`(not ${stopped}::boolean or stop_reason is not null)
      and (${user}::text is null or user_id = ${user}) and (${api_key}::uuid is null or api_key_id = ${api_key}::uuid)`,
    orderBy: sql`created_at desc, id desc`,
    limit,
    offset,
  })

export async function findDelegation(
  db: Queryable,
  { organization, kind, id, now }: Pick<DelegationFilter, 'organization' | 'now'> & Pick<DelegationRow, 'kind' | 'id'>,
): Promise<DelegationRow | null> {
  const [row] = await db.query<DelegationRow>(sql`
    select ${columns} from ${selectAll(organization, now)} where kind = ${kind} and id = ${id}`)
  return row ?? null
}

/** Makes the user its maker. */
export async function updateDelegationMaker(
  tx: Tx,
  {
    organization,
    kind,
    id,
    user,
    now,
  }: Pick<DelegationFilter, 'organization' | 'now'> & Pick<DelegationRow, 'kind' | 'id'> & { readonly user: string },
): Promise<void> {
  const { from, takeOver } = sources[kind]
  await tx.query(sql`
    update ${from} set ${takeOver(user, now)} where organization_id = ${organization} and id = ${id}`)
  if (kind === 'webhook')
    await tx.query(sql`
      update event_subscriptions set ${byUserAlone(user)} where organization_id = ${organization} and webhook_id = ${id}`)
}
