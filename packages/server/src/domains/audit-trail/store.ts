import type { SqlStatementRunner, Tx } from '../../platform/database/database.ts'
import type { NumberedRowRange } from '../../platform/database/position-pages.ts'
import { sql, type Sql } from '../../platform/database/sql.ts'
import type { AuditEntryRow, AuditOutcome } from './entry.ts'

/** A row that is not sealed yet. */
export interface NewAuditEntry extends Omit<AuditEntryRow, 'position' | 'hash'> {
  /** The key under which only the first of equal refusals is written; null for every other row. */
  readonly refusal_key: string | null
}

/** Does nothing if the organization has a row with this refusal key. */
export async function insertAuditEntry(db: SqlStatementRunner, row: NewAuditEntry): Promise<void> {
  await db.query(
    sql.prepared(sql`
      insert into audit_entries (organization_id, id, at, principal_kind, principal_id, operation, target_type, target_id,
                                 reason, request_id, address, outcome, problem, refusal_key)
      values (${row.organization_id}, ${row.id}, ${row.at}, ${row.principal_kind}, ${row.principal_id}, ${row.operation},
              ${row.target_type}, ${row.target_id}, ${row.reason}, ${row.request_id}, ${row.address}, ${row.outcome},
              ${row.problem}, ${row.refusal_key})
      on conflict do nothing`),
  )
}

/** Completes the row at the end of a call; false if the row is sealed already. */
export async function updateAuditEntry(
  db: SqlStatementRunner,
  row: Pick<AuditEntryRow, 'organization_id' | 'id' | 'target_type' | 'target_id' | 'outcome' | 'problem'>,
): Promise<boolean> {
  const rows = await db.query(sql`
    update audit_entries
    set target_type = ${row.target_type}, target_id = ${row.target_id}, outcome = ${row.outcome}, problem = ${row.problem}
    where organization_id = ${row.organization_id} and id = ${row.id} and position is null
    returning id`)
  return rows.length > 0
}

const columns = sql`organization_id, id, at, principal_kind, principal_id, operation, target_type, target_id, reason,
  request_id, address, outcome, problem, position, hash`

export interface AuditFilter {
  readonly principal_id: string | null
  /** An operation, or the beginning of one that ends with a dot. */
  readonly operation: string | null
  readonly target_type: string | null
  readonly target_id: string | null
  readonly outcome: AuditOutcome | null
  readonly problem: string | null
  /** The interval, from `from` (inclusive) until `until` (exclusive). */
  readonly from: Date | null
  readonly until: Date | null
}

const equals = (column: Sql, value: string | null): Sql => (value === null ? sql.empty : sql`and ${column} = ${value}`)

const operationCondition = (operation: string | null): Sql =>
  operation?.endsWith('.') ? sql`and starts_with(operation, ${operation})` : equals(sql`operation`, operation)

const filterCondition = (filter: AuditFilter): Sql => sql`
  ${equals(sql`principal_id`, filter.principal_id)} ${operationCondition(filter.operation)}
  ${equals(sql`target_type`, filter.target_type)} ${equals(sql`target_id`, filter.target_id)}
  ${equals(sql`outcome`, filter.outcome)} ${equals(sql`problem`, filter.problem)}
  ${filter.from === null ? sql.empty : sql`and at >= ${filter.from}`}
  ${filter.until === null ? sql.empty : sql`and at < ${filter.until}`}`

/** Rows of an organization, newest first; ids sort by time. `before` is the id of the last row of the page before. */
export const listAuditEntries = (
  db: SqlStatementRunner,
  organization: string,
  { filter, before, limit }: { readonly filter: AuditFilter; readonly before: string | null; readonly limit: number },
): Promise<AuditEntryRow[]> =>
  db.query<AuditEntryRow>(sql`
    select ${columns} from audit_entries
    where organization_id = ${organization} ${filterCondition(filter)}
      ${before === null ? sql.empty : sql`and id < ${before}::uuid`}
    order by id desc limit ${limit}`)

/** Sealed rows of a range of the chain, in its order. */
export const listSealedAuditEntries = (
  db: SqlStatementRunner,
  organization: string,
  { after, until, limit }: NumberedRowRange & { readonly limit: number },
): Promise<AuditEntryRow[]> =>
  db.query<AuditEntryRow>(sql`
    select ${columns} from audit_entries
    where organization_id = ${organization} and position > ${after} and position <= ${until}
    order by position limit ${limit}`)

/** The oldest rows that are not sealed and whose call began before a time. */
export const listUnsealedAuditEntries = (
  db: SqlStatementRunner,
  organization: string,
  { before, limit }: { readonly before: Date; readonly limit: number },
): Promise<AuditEntryRow[]> =>
  db.query<AuditEntryRow>(sql`
    select ${columns} from audit_entries
    where organization_id = ${organization} and position is null and at < ${before}
    order by at, id limit ${limit}`)

export async function countUnsealedAuditEntries(db: SqlStatementRunner, organization: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*) as count from audit_entries where organization_id = ${organization} and position is null`)
  return row?.count ?? 0
}

/** The end of a chain. */
export interface AuditChainHead {
  readonly position: number
  readonly hash: string
}

export async function findAuditChainHead(db: SqlStatementRunner, organization: string): Promise<AuditChainHead | null> {
  const [row] = await db.query<AuditChainHead>(sql`
    select position, hash from audit_heads where organization_id = ${organization}`)
  return row ?? null
}

/** Locks the end of the chain until the end of the transaction; creates it with `first` if there is none. */
export async function lockAuditChainHead(tx: Tx, organization: string, first: AuditChainHead): Promise<AuditChainHead> {
  await tx.query(sql`
    insert into audit_heads (organization_id, position, hash) values (${organization}, ${first.position}, ${first.hash})
    on conflict (organization_id) do nothing`)
  const [row] = await tx.query<AuditChainHead>(sql`
    select position, hash from audit_heads where organization_id = ${organization} for update`)
  return row!
}

/** Writes the places and hashes of rows, and the new end of the chain. */
export async function updateAuditSeals(
  tx: Tx,
  organization: string,
  seals: readonly (AuditChainHead & { readonly id: string })[],
): Promise<void> {
  const values = seals.map(({ id, position, hash }) => sql`(${id}::uuid, ${position}::bigint, ${hash}::text)`)
  const rows = await tx.query(sql`
    update audit_entries as entry set position = seal.position, hash = seal.hash
    from (values ${sql.join(values)}) as seal (id, position, hash)
    where entry.organization_id = ${organization} and entry.id = seal.id and entry.position is null
    returning entry.id`)
  if (rows.length !== seals.length) throw new Error('an audit entry was sealed by somebody else')
  const { position, hash } = seals.at(-1)!
  await tx.query(sql`
    update audit_heads set position = ${position}, hash = ${hash} where organization_id = ${organization}`)
}
