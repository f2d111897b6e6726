import type { SupportAccess, SupportAccessState } from '@swath/contract/schemas/operators/support-access.ts'
import { day_ms, hour_ms } from '@swath/geo/time-units.ts'
import type { Actor } from '../../../engine/actor.ts'
import { assertInvariant, Problem } from '../../../engine/problem.ts'
import { toProcessClockTime, type ProcessClockTime } from '../../../platform/clock.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { newId } from '../../../platform/ids.ts'
import { emitEvent } from '../../events/emit.ts'
import { findUser } from '../../users/store.ts'
import {
  deleteExpiredSupportRequest,
  insertSupportAccess,
  lockSupportAccess,
  updateSupportAccess,
  type SupportAccessRow,
} from './store.support-access.ts'

/** How long a request waits for its decision. */
const max_request_ms = 7 * day_ms

/** On the clock of the process: people read for hours of their day, also in a sandbox that stands still. */
export const supportTime = ({ clock }: Pick<Actor, 'clock'>): ProcessClockTime => toProcessClockTime(clock.process)

/** The subject that is published when an access ends. */
export const toSupportAccessSubject = (id: string): `support-access:${string}` => `support-access:${id}`

const stateAt = ({ status, expires_at }: SupportAccessRow, at: Date): SupportAccessState =>
  (status === 'requested' || status === 'granted') && expires_at <= at ? 'expired' : status

/** The representation of an access. */
export const toSupportAccess = ({ status, ...row }: SupportAccessRow, at: ProcessClockTime): SupportAccess => ({
  ...row,
  state: stateAt({ status, ...row }, at),
  requested_at: row.requested_at.toISOString(),
  decided_at: row.decided_at?.toISOString() ?? null,
  expires_at: row.expires_at.toISOString(),
  ended_at: row.ended_at?.toISOString() ?? null,
})

/** Asks for an access as an operator. Throws `invalid-state` while an earlier request waits. */
export async function requestSupportAccess(
  tx: Tx,
  actor: Actor,
  { reason, hours }: Pick<SupportAccessRow, 'reason' | 'hours'>,
): Promise<SupportAccessRow> {
  const { organization: organization_id, principal } = actor
  const requested_at = supportTime(actor)
  const operator = await findUser(tx, principal.id)
  assertInvariant(operator, 'the caller is a user')
  await deleteExpiredSupportRequest(tx, organization_id, principal.id, requested_at)
  const row = {
    organization_id,
    id: newId(),
    operator_id: principal.id,
    operator_email: operator.email,
    reason,
    hours,
    requested_at,
    expires_at: new Date(requested_at.getTime() + max_request_ms),
  }
  if (!(await insertSupportAccess(tx, row)))
    throw new Problem('invalid-state', 'An earlier request of yours waits for an owner of the organization.')
  const data = { operator_email: operator.email, reason, expires_at: row.expires_at.toISOString() }
  await emitSupportEvent(tx, actor, 'support_access.requested', { id: row.id, data })
  return { ...row, status: 'requested', decided_by: null, decided_at: null, ended_by: null, ended_at: null }
}

/** Grants what an operator asks for, for the time asked for or a shorter one. Throws `not-found` and `invalid-state`. */
export async function grantSupportAccess(
  tx: Tx,
  actor: Actor,
  id: string,
  wantedHours: number | null,
): Promise<SupportAccessRow> {
  const row = await lockInState(tx, actor, { id }, ['requested'])
  const { principal } = actor
  const at = supportTime(actor)
  const hours = Math.min(wantedHours ?? row.hours, row.hours)
  const granted: SupportAccessRow = {
    ...row,
    status: 'granted',
    hours,
    decided_by: principal.id,
    decided_at: at,
    expires_at: new Date(at.getTime() + hours * hour_ms),
  }
  await updateSupportAccess(tx, granted)
  const data = { ...describe(granted), user_id: principal.id, expires_at: granted.expires_at.toISOString() }
  await emitSupportEvent(tx, actor, 'support_access.granted', { id, data })
  return granted
}

/** Throws `not-found` and `invalid-state`. */
export async function refuseSupportAccess(tx: Tx, actor: Actor, id: string): Promise<SupportAccessRow> {
  const row = await lockInState(tx, actor, { id }, ['requested'])
  const at = supportTime(actor)
  const refused: SupportAccessRow = { ...row, status: 'refused', decided_by: actor.principal.id, decided_at: at }
  await updateSupportAccess(tx, refused)
  const data = { ...describe(refused), user_id: actor.principal.id }
  await emitSupportEvent(tx, actor, 'support_access.refused', { id, data })
  return refused
}

/**
 * Ends an access, or takes the request for one back; the caller publishes that tokens under it end. Throws `not-found`, also for an
 * access of another operator than the one that is named, and `invalid-state`.
 *
 * @param operator whose access it must be; null for any.
 */
export async function endSupportAccess(
  tx: Tx,
  actor: Actor,
  id: string,
  operator: string | null,
): Promise<SupportAccessRow> {
  const row = await lockInState(tx, actor, { id, operator }, operator === null ? ['granted'] : ['requested', 'granted'])
  const ended: SupportAccessRow = {
    ...row,
    status: 'ended',
    ended_by: actor.principal.id,
    ended_at: supportTime(actor),
  }
  await updateSupportAccess(tx, ended)
  const data = { ...describe(ended), user_id: actor.principal.id }
  await emitSupportEvent(tx, actor, 'support_access.ended', { id, data })
  return ended
}

const describe = ({ operator_email, reason }: SupportAccessRow) => ({ operator_email, reason })

async function lockInState(
  tx: Tx,
  actor: Actor,
  { id, operator = null }: { readonly id: string; readonly operator?: string | null },
  states: readonly SupportAccessState[],
): Promise<SupportAccessRow> {
  const row = await lockSupportAccess(tx, actor.organization, id)
  if (!row || (operator !== null && row.operator_id !== operator))
    throw new Problem('not-found', `No support access has the id "${id}".`)
  const state = stateAt(row, supportTime(actor))
  if (!states.includes(state)) throw new Problem('invalid-state', `The support access is ${state}.`)
  return row
}

type SupportEventKind = `support_access.${'requested' | 'granted' | 'refused' | 'ended'}`

const emitSupportEvent = (
  tx: Tx,
  actor: Actor,
  kind: SupportEventKind,
  { id, data }: { readonly id: string; readonly data: Readonly<Record<string, unknown>> },
): Promise<void> => emitEvent(tx, actor, { kind, entity_type: 'support_access', entity_id: id, data })
