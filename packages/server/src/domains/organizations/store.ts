import type { OrganizationRole } from '@swath/contract/schemas/member.ts'
import type { OrganizationTime } from '../../platform/clock.ts'
import type { SqlStatementRunner, Tx } from '../../platform/database/database.ts'
import { selectPage, type RowPage } from '../../platform/database/select-page.ts'
import { publishItemAccessChange } from '../../platform/database/item-access.ts'
import { sql } from '../../platform/database/sql.ts'

export type OrganizationPlan = 'free' | 'prepaid' | 'enterprise' | 'internal'

export interface NewOrganization {
  readonly organization_id: string
  readonly name: string
  readonly slug: string
  readonly description: string | null
  readonly website: string | null
  readonly industry: string | null
  readonly size: string | null
  readonly country: string | null
  readonly abn: string | null
  readonly tax_number: string | null
  readonly billing_email: string | null
  readonly billing_admin_id: string | null
  readonly billing_address: Readonly<Record<string, unknown>> | null
  readonly enterprise_billing: boolean
  readonly plan: OrganizationPlan
  readonly created_at: Date
}

/** The columns of an organization that most modules need. */
export interface OrganizationRow {
  readonly id: string
  readonly name: string
  readonly slug: string
  readonly plan: OrganizationPlan
  readonly country: string | null
  readonly status: 'active' | 'suspended' | 'deleted'
  readonly enterprise_billing: boolean
  readonly created_at: Date
  /** Its deletion date; null if it has none. */
  readonly delete_after: Date | null
}

export interface MemberRow {
  readonly user_id: string
  readonly email: string
  readonly name: string | null
  readonly role: OrganizationRole
  readonly per_order_limit_credits: number | null
  readonly spend_limit_credits: number | null
  readonly created_at: Date
}

export const memberColumns = sql`m.user_id, m.email, m.name, m.role, m.per_order_limit_credits, m.spend_limit_credits, m.created_at`

/** The organization of a connection: name, plan, country for its tax, and status. */
export async function findOrganization(db: SqlStatementRunner, organization: string): Promise<OrganizationRow | null> {
  const [row] = await db.query<OrganizationRow>(sql`
    select organization_id as id, name, slug, plan, country, status, enterprise_billing, created_at, delete_after
    from organizations where organization_id = ${organization}`)
  return row ?? null
}

/** The recipient of an invoice or statement. */
export interface BillingParty {
  readonly name: string
  readonly abn: string | null
  readonly tax_number: string | null
  readonly billing_email: string | null
  readonly billing_address: Readonly<Record<string, unknown>> | null
  readonly country: string | null
  readonly purchase_order_number: string | null
}

/** An organization as invoices and statements name it. */
export async function findBillingParty(db: SqlStatementRunner, organization: string): Promise<BillingParty | null> {
  const [row] = await db.query<BillingParty>(sql`
    select name, abn, tax_number, billing_email, billing_address, country, purchase_order_number
    from organizations where organization_id = ${organization}`)
  return row ?? null
}

/** Without sandboxes unless they are requested; needs the unscoped connection. */
export async function listIdsOfOrganizations(unscoped: SqlStatementRunner, sandboxes: boolean): Promise<string[]> {
  const rows = await unscoped.query<{ id: string }>(sql`
    select organization_id as id from organizations
    where ${sandboxes} or not swath_is_sandbox(organization_id) order by created_at, organization_id`)
  return rows.map((row) => row.id)
}

/** An organization as administrators list it. */
export interface ListedOrganization extends Pick<OrganizationRow, 'id' | 'name' | 'plan' | 'status'> {
  readonly created_at: Date
  /** Its deletion date; null if it has none. */
  readonly delete_after: Date | null
  readonly suspended_at: Date | null
  readonly suspended_reason: string | null
}

export interface OrganizationFilter {
  readonly plan: OrganizationPlan | null
  readonly status: OrganizationRow['status'] | null
  /** Part of the name, in any case. */
  readonly search: string | null
  readonly sandboxes: boolean
  readonly limit: number
  readonly offset: number
}

const listedColumns = sql`organization_id as id, name, plan, status, created_at, delete_after, suspended_at,
  suspended_reason`

/** All organizations but sandboxes, which are billed by their own clocks, oldest first; needs the unscoped connection. */
export const listOrganizations = (unscoped: SqlStatementRunner): Promise<ListedOrganization[]> =>
  unscoped.query<ListedOrganization>(sql`
    select ${listedColumns} from organizations where not swath_is_sandbox(organization_id)
    order by created_at, organization_id`)

/** A page of the organizations that match a filter, newest first; needs the unscoped connection. */
export const listOrganizationPage = (
  unscoped: SqlStatementRunner,
  { plan, status, search, sandboxes, limit, offset }: OrganizationFilter,
): Promise<RowPage<ListedOrganization>> =>
  selectPage<ListedOrganization>(unscoped, {
    columns: listedColumns,
    from: sql`organizations`,
    where: sql`(${sandboxes} or not swath_is_sandbox(organization_id)) and (${plan}::text is null or plan = ${plan})
      and (${status}::text is null or status = ${status})
      and (${search}::text is null or strpos(lower(name), lower(${search})) > 0)`,
    orderBy: sql`created_at desc, organization_id desc`,
    limit,
    offset,
  })

/** Marks an organization as deleted if its deletion date is reached; false if it is not, or it is deleted already. */
export async function markOrganizationDeleted(tx: Tx, organization: string, now: OrganizationTime): Promise<boolean> {
  const rows = await tx.query(sql`
    update organizations
    set status = 'deleted', deleted_at = coalesce(deleted_at, ${now}), updated_at = ${now}
    where organization_id = ${organization} and status <> 'deleted' and delete_after <= ${now}
    returning organization_id`)
  return rows.length > 0
}

/** False if another organization has the slug; needs the unscoped connection. */
export async function claimOrganizationSlug(tx: Tx, slug: string, organization: string): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into organization_slugs (slug, organization_id) values (${slug}, ${organization})
    on conflict (slug) do nothing
    returning slug`)
  return rows.length > 0
}

export async function insertOrganization(tx: Tx, row: NewOrganization): Promise<void> {
  await tx.query(sql`
    insert into organizations (organization_id, name, slug, description, website, industry, size, country, abn,
                               tax_number, billing_email, billing_admin_id, billing_address, enterprise_billing,
                               plan, status, created_at, updated_at)
    values (${row.organization_id}, ${row.name}, ${row.slug}, ${row.description}, ${row.website}, ${row.industry},
            ${row.size}, ${row.country}, ${row.abn}, ${row.tax_number}, ${row.billing_email}, ${row.billing_admin_id},
            ${row.billing_address === null ? null : sql.json(row.billing_address)}, ${row.enterprise_billing},
            ${row.plan}, 'active', ${row.created_at}, ${row.created_at})`)
}

export interface NewMember {
  readonly organization_id: string
  readonly user_id: string
  readonly email: string
  readonly name: string | null
  readonly role: OrganizationRole
  readonly created_at: Date
}

export async function insertMember(tx: Tx, member: NewMember): Promise<void> {
  publishItemAccessChange(tx, member.organization_id)
  await tx.query(sql`
    insert into memberships (organization_id, user_id, email, name, role, created_at, updated_at)
    values (${member.organization_id}, ${member.user_id}, ${member.email}, ${member.name}, ${member.role},
            ${member.created_at}, ${member.created_at})`)
}

/** True for a member of the organization, also one who is disabled. */
export async function isMember(db: SqlStatementRunner, organization: string, user: string): Promise<boolean> {
  const rows = await db.query(sql`
    select user_id from memberships where organization_id = ${organization} and user_id = ${user}`)
  return rows.length > 0
}

/** A user's membership, with its spend limits. */
export async function findMembership(
  db: SqlStatementRunner,
  organization: string,
  user: string,
): Promise<MemberRow | null> {
  const [row] = await db.query<MemberRow>(
    sql.prepared(sql`
    select ${memberColumns} from memberships m where m.organization_id = ${organization} and m.user_id = ${user}`),
  )
  return row ?? null
}
