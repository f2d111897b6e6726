import type { OrganizationDomainState } from '@swath/contract/schemas/people/federation.ts'
import type { OrganizationTime } from '../../../platform/clock.ts'
import type { SqlStatementRunner, Tx } from '../../../platform/database/database.ts'
import { selectPage, type RowPage } from '../../../platform/database/select-page.ts'
import { sql } from '../../../platform/database/sql.ts'

export interface DomainRow {
  readonly domain: string
  /** The random part of the record. */
  readonly proof: string
  readonly state: OrganizationDomainState
  readonly created_at: Date
  readonly verified_at: Date | null
  readonly checked_at: Date | null
  /** Since when the record of a verified domain is missing. */
  readonly failing_since: Date | null
  readonly problem: string | null
}

const columns = sql`d.domain, d.proof, d.state, d.created_at, d.verified_at, d.checked_at, d.failing_since, d.problem`

/** False if the organization has the domain already. */
export async function insertDomain(
  tx: Tx,
  organization: string,
  row: {
    readonly domain: string
    readonly proof: string
    readonly created_by: string
    readonly created_at: OrganizationTime
  },
): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into organization_domains (organization_id, domain, proof, state, created_by, created_at)
    values (${organization}, ${row.domain}, ${row.proof}, 'pending', ${row.created_by}, ${row.created_at})
    on conflict (organization_id, domain) do nothing
    returning domain`)
  return rows.length > 0
}

export interface ListWindow {
  readonly limit: number
  readonly offset: number
}

/** In the order of the alphabet. */
export const listDomains = (
  db: SqlStatementRunner,
  organization: string,
  window: ListWindow,
): Promise<RowPage<DomainRow>> =>
  selectPage<DomainRow>(db, {
    columns,
    from: sql`organization_domains d`,
    where: sql`d.organization_id = ${organization}`,
    orderBy: sql`d.domain`,
    ...window,
  })

export async function countDomains(db: SqlStatementRunner, organization: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*) as count from organization_domains where organization_id = ${organization}`)
  return row?.count ?? 0
}

export async function findDomain(
  db: SqlStatementRunner,
  organization: string,
  domain: string,
): Promise<DomainRow | null> {
  const [row] = await db.query<DomainRow>(sql`
    select ${columns} from organization_domains d where d.organization_id = ${organization} and d.domain = ${domain}`)
  return row ?? null
}

export async function lockDomain(tx: Tx, organization: string, domain: string): Promise<DomainRow | null> {
  const [row] = await tx.query<DomainRow>(sql`
    select ${columns} from organization_domains d
    where d.organization_id = ${organization} and d.domain = ${domain} for update of d`)
  return row ?? null
}

/** The verified ones among some domains. */
export async function listVerifiedDomains(db: SqlStatementRunner, organization: string): Promise<string[]> {
  const rows = await db.query<{ domain: string }>(sql`
    select d.domain from organization_domains d
    where d.organization_id = ${organization} and d.state = 'verified' order by d.domain`)
  return rows.map((row) => row.domain)
}

/** Records what a look for the record has found. */
export async function updateDomainCheck(
  tx: Tx,
  organization: string,
  row: Pick<DomainRow, 'domain' | 'state' | 'verified_at' | 'failing_since' | 'problem'> & {
    readonly checked_at: OrganizationTime
  },
): Promise<void> {
  await tx.query(sql`
    update organization_domains
    set state = ${row.state}, verified_at = ${row.verified_at}, checked_at = ${row.checked_at},
        failing_since = ${row.failing_since}, problem = ${row.problem}
    where organization_id = ${organization} and domain = ${row.domain}`)
}

/** False if the organization does not have the domain. */
export async function deleteDomain(tx: Tx, organization: string, domain: string): Promise<boolean> {
  const rows = await tx.query(sql`
    delete from organization_domains where organization_id = ${organization} and domain = ${domain} returning domain`)
  return rows.length > 0
}

/** The organization that has proved a domain; null if none has. Needs the unscoped connection, as all functions below. */
export async function findDomainOwner(unscoped: SqlStatementRunner, domain: string): Promise<string | null> {
  const [row] = await unscoped.query<{ organization_id: string }>(sql`
    select organization_id from domain_directory where domain = ${domain}`)
  return row?.organization_id ?? null
}

/** Gives a domain to an organization. False if another one has it. */
export async function claimDomain(tx: Tx, organization: string, domain: string, checked_at: Date): Promise<boolean> {
  const rows = await tx.query(sql`
    insert into domain_directory (domain, organization_id, checked_at) values (${domain}, ${organization}, ${checked_at})
    on conflict (domain) do update set checked_at = ${checked_at} where domain_directory.organization_id = ${organization}
    returning domain`)
  return rows.length > 0
}

export async function releaseDomain(tx: Tx, organization: string, domain: string): Promise<void> {
  await tx.query(sql`delete from domain_directory where organization_id = ${organization} and domain = ${domain}`)
}

export interface DueDomain {
  readonly domain: string
  readonly organization_id: string
}

/** Verified domains that were last checked before a time, those first that have waited longest. */
export const listDomainsCheckedBefore = (
  unscoped: SqlStatementRunner,
  time: Date,
  limit: number,
): Promise<DueDomain[]> =>
  unscoped.query<DueDomain>(sql`
    select domain, organization_id from domain_directory where checked_at < ${time} order by checked_at, domain limit ${limit}`)

/** False as long as no organization has proved a domain. */
export async function hasVerifiedDomains(unscoped: SqlStatementRunner): Promise<boolean> {
  return (await unscoped.query(sql`select 1 from domain_directory limit 1`)).length > 0
}
