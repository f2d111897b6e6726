import type { AuditedCall, CallAudit, AuditedCallEnd, StartCallAudit } from '../../engine/call-audit.ts'
import { createBoundedCache, type BoundedCache } from '../../platform/bounded-cache.ts'
import type { OrganizationClocks } from '../../platform/clock.ts'
import type { Database, DbConnection } from '../../platform/database/database.ts'
import type { Logger } from '../../platform/log.ts'
import { newId } from '../../platform/ids.ts'
import {
  toCommittedAuditedCallEnd,
  toFailedAuditedCallEnd,
  findAuditedOrganization,
  findOrganizationOfRefusedCall,
  computeRefusalGroupKey,
  toSucceededCallEnd,
  toAuditEntry,
  toAdditionalAuditEntry,
  type AuditedCallData,
} from './call-row.ts'
import { updateAuditEntry, insertAuditEntry, type NewAuditEntry } from './store.ts'

interface AuditTrailDependencies {
  readonly database: Database
  readonly clock: OrganizationClocks
  readonly log: Logger
}

/** Refusals that this process has written, so that repeating them costs no statement. */
type WrittenRefusals = BoundedCache<string, true>

const max_remembered_refusals = 10_000

/** Refusals without a row: there may be any number of them, and their callers have not come as far as an operation. */
const unrecordedProblems: ReadonlySet<string> = new Set(['rate-limited'])

/** Creates the function that starts the row of each write call. */
export function createCallAuditStarter(dependencies: AuditTrailDependencies): StartCallAudit {
  const writtenRefusals: WrittenRefusals = createBoundedCache({ max_entries: max_remembered_refusals })
  return (call) => new AuditedCallRow(dependencies, writtenRefusals, call)
}

class AuditedCallRow implements CallAudit {
  private readonly dependencies: AuditTrailDependencies
  private readonly writtenRefusals: WrittenRefusals
  private facts: AuditedCallData
  /** `writing`: a transaction that is open has taken on to write it. */
  private row: 'absent' | 'writing' | NewAuditEntry = 'absent'

  constructor(dependencies: AuditTrailDependencies, writtenRefusals: WrittenRefusals, call: AuditedCall) {
    this.dependencies = dependencies
    this.writtenRefusals = writtenRefusals
    this.facts = { id: newId(), call, at: dependencies.clock.process.now(), input: null, shownOrganization: null }
  }

  setInput(input: unknown): void {
    this.facts = { ...this.facts, input: input as AuditedCallData['input'] }
  }

  setOrganization(organization: string): void {
    this.facts = { ...this.facts, shownOrganization: organization }
  }

  attach(db: DbConnection): DbConnection {
    return {
      organization: db.organization,
      query: (statement) => db.query(statement),
      transaction: (work) => this.runTransaction(db, work),
    }
  }

  private async runTransaction<T>(db: DbConnection, work: Parameters<DbConnection['transaction']>[0]): Promise<T> {
    const organization = this.row === 'absent' ? findAuditedOrganization(this.facts) : null
    const isVisible = db.organization === null || db.organization === organization
    if (organization === null || !isVisible) return db.transaction(work) as Promise<T>
    this.row = 'writing'
    try {
      return (await db.transaction(async (tx) => {
        const result = await work(tx)
        const row = toAuditEntry(this.facts, organization, toCommittedAuditedCallEnd(this.facts, result))
        await insertAuditEntry(tx, row)
        tx.afterCommit(() => {
          this.row = row
        })
        return result
      })) as T
    } finally {
      if (this.row === 'writing') this.row = 'absent'
    }
  }

  async end(end: AuditedCallEnd): Promise<void> {
    try {
      if (typeof this.row === 'object') await this.complete(this.row, end)
      else await this.write(end)
    } catch (error) {
      const { operation, requestId } = this.facts.call
      const fields = { err: error, operation: operation.id, request_id: requestId }
      this.dependencies.log.error(fields, 'the row of a write call could not be written to the audit trail')
    }
  }

  /** Completes a row that a transaction wrote, with the data that was missing then. */
  private async complete(row: NewAuditEntry, end: AuditedCallEnd): Promise<void> {
    const known = 'problem' in end ? toFailedAuditedCallEnd(this.facts, end) : toSucceededCallEnd(this.facts, end)
    if (known.outcome === row.outcome && known.target_id === row.target_id) return
    const completed = { ...row, ...known }
    const db = this.dependencies.database.forOrganization(row.organization_id)
    if (!(await updateAuditEntry(db, completed))) await insertAuditEntry(db, toAdditionalAuditEntry(completed))
  }

  private async write(end: AuditedCallEnd): Promise<void> {
    if ('problem' in end && end.status < 500) return this.writeRefusal(end)
    const known = 'problem' in end ? toFailedAuditedCallEnd(this.facts, end) : toSucceededCallEnd(this.facts, end)
    // A user who creates a first organization does not belong to another one yet.
    const created = known.target_type === 'organization' ? known.target_id : null
    const organization = findAuditedOrganization(this.facts) ?? created ?? findOrganizationOfRefusedCall(this.facts)
    if (organization !== null) await this.insert(toAuditEntry(this.facts, organization, known))
  }

  private async writeRefusal(end: Extract<AuditedCallEnd, { problem: unknown }>): Promise<void> {
    const organization = findOrganizationOfRefusedCall(this.facts)
    if (organization === null || unrecordedProblems.has(end.problem)) return
    const refusal_key = computeRefusalGroupKey(this.facts, end.problem)
    const cacheKey = `${organization} ${refusal_key}`
    if (this.writtenRefusals.get(cacheKey)) return
    await this.insert({
      ...toAuditEntry(this.facts, organization, toFailedAuditedCallEnd(this.facts, end)),
      refusal_key,
    })
    this.writtenRefusals.set(cacheKey, true)
  }

  private insert(row: NewAuditEntry): Promise<void> {
    return insertAuditEntry(this.dependencies.database.forOrganization(row.organization_id), row)
  }
}
