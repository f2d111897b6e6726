import type { OrganizationDomain } from '@swath/contract/schemas/people/federation.ts'
import { limits } from '@swath/contract/limits.ts'
import { day_ms } from '@swath/geo/time-units.ts'
import type { Actor } from '../../../engine/actor.ts'
import { Problem, validationProblem } from '../../../engine/problem.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { TextRecordFailure, type ReadTextRecords } from '../../../platform/integrations/text-records.ts'
import { emitEvent } from '../../events/emit.ts'
import { normalizeDomain, toProofRecordName, toProofRecordValue } from './domain-names.ts'
import { claimDomain, lockDomain, releaseDomain, updateDomainCheck, type DomainRow } from './store.domains.ts'

export const toOrganizationDomain = (row: DomainRow): OrganizationDomain => ({
  domain: row.domain,
  state: row.state,
  record_name: toProofRecordName(row.domain),
  record_value: toProofRecordValue(row.proof),
  created_at: row.created_at.toISOString(),
  verified_at: row.verified_at?.toISOString() ?? null,
  checked_at: row.checked_at?.toISOString() ?? null,
  problem: row.problem,
})

/** The domain of a request in its stored form. Throws `validation`. */
export function parseDomain(text: string): string {
  const domain = normalizeDomain(text)
  if (domain === null) throw validationProblem([{ path: 'domain', message: 'is not a domain such as example.com' }])
  return domain
}

export const createUnknownDomainProblem = (domain: string): Problem =>
  new Problem('not-found', `The organization has no domain "${domain}".`)

/** What a look for the record of a domain has found; null is the proof. */
export type DomainProblem = string | null

/** Asks the name servers for the record of a domain; outside of transactions. */
export async function findDomainProblem(
  readTextRecords: ReadTextRecords,
  { domain, proof }: Pick<DomainRow, 'domain' | 'proof'>,
): Promise<DomainProblem> {
  const name = toProofRecordName(domain)
  try {
    const values = await readTextRecords(name)
    if (values.some((value) => value.trim() === toProofRecordValue(proof))) return null
    return values.length === 0
      ? `There is no TXT record ${name}.`
      : `The TXT record ${name} has another value than that of this organization.`
  } catch (error) {
    if (error instanceof TextRecordFailure) return error.message
    throw error
  }
}

const grace_ms = limits.domain_grace_days * day_ms

/** The row after a look for its record. A verified domain is lost once its record has been missing for days. */
function toCheckedRow(row: DomainRow, problem: DomainProblem, now: Date): DomainRow {
  if (problem === null)
    return { ...row, state: 'verified', verified_at: row.verified_at ?? now, failing_since: null, problem }
  if (row.state !== 'verified') return { ...row, problem }
  const failing_since = row.failing_since ?? now
  const isLost = now.getTime() - failing_since.getTime() >= grace_ms
  return { ...row, state: isLost ? 'lost' : 'verified', failing_since, problem }
}

/**
 * Records what a look for the record of a domain has found, in an unscoped transaction: only one organization has a verified domain.
 * Throws `not-found`, and `name-taken` if another organization has proved it.
 */
export async function recordDomainCheck(
  tx: Tx,
  actor: Actor,
  { domain, proof }: Pick<DomainRow, 'domain' | 'proof'>,
  problem: DomainProblem,
): Promise<DomainRow> {
  const { organization, clock } = actor
  const now = clock.now()
  const row = await lockDomain(tx, organization, domain)
  // It may have been removed and added again, with another record.
  if (!row || row.proof !== proof) throw createUnknownDomainProblem(domain)
  const checked = { ...toCheckedRow(row, problem, now), checked_at: now }
  if (checked.state === 'verified' && !(await claimDomain(tx, organization, domain, now)))
    throw new Problem('name-taken', `Another organization has the domain "${domain}".`)
  if (row.state === 'verified' && checked.state !== 'verified') await releaseDomain(tx, organization, domain)
  await updateDomainCheck(tx, organization, checked)
  if (checked.state !== row.state) await emitDomainEvent(tx, actor, checked)
  return checked
}

function emitDomainEvent(tx: Tx, actor: Actor, { domain, state, problem }: DomainRow): Promise<void> {
  const entity = { entity_type: 'domain', entity_id: domain }
  return state === 'verified'
    ? emitEvent(tx, actor, { kind: 'organization.domain_verified', ...entity, data: { domain } })
    : emitEvent(tx, actor, { kind: 'organization.domain_removed', ...entity, data: { domain, reason: problem } })
}
