import { minute_ms } from '@swath/geo/time-units.ts'
import type { AuditedCall, AuditedCallEnd } from '../../engine/call-audit.ts'
import { newId } from '../../platform/ids.ts'
import { platformOrganizationId, type AuditOutcome } from './entry.ts'
import type { NewAuditEntry } from './store.ts'
import { findAuditTargetInInput, findAuditTargetInOutput, findAuditTargetRule, isOperatorOperation } from './targets.ts'

/** The data of a call for its row, as far as the call has come. */
export interface AuditedCallData {
  readonly id: string
  readonly call: AuditedCall
  readonly at: Date
  /** Null until the input was validated. */
  readonly input: Readonly<Record<string, unknown>> | null
  /** The organization that a caller without a token has shown; null if there is none. */
  readonly shownOrganization: string | null
}

type RowEnd = Pick<NewAuditEntry, 'target_type' | 'target_id' | 'outcome' | 'problem' | 'refusal_key'>

const textOf = (facts: AuditedCallData, field: string): string | null => {
  const value = facts.input?.[field]
  return typeof value === 'string' ? value : null
}

/**
 * The organization of a call that may have changed something: the one that an operator names, else that of the caller.
 * Null if it is not determined (yet).
 */
export function findAuditedOrganization(facts: AuditedCallData): string | null {
  const { principal, operation } = facts.call
  const isOperators = isOperatorOperation(operation)
  const named =
    isOperators || principal.administrator ? (textOf(facts, 'organization_id')?.toLowerCase() ?? null) : null
  if (isOperators) return named ?? platformOrganizationId
  if (named !== null) return named
  return principal.organization ?? facts.shownOrganization
}

/** The organization of a call that was refused. Null for a caller without a token and without an organization. */
export function findOrganizationOfRefusedCall({
  call: { principal, operation },
  shownOrganization,
}: AuditedCallData): string | null {
  // Not whether the token has all scopes of operators: who asked for one of them is an operator.
  const isOperator = principal.scopes.some((scope) => scope.startsWith('admin:'))
  if (isOperatorOperation(operation) && isOperator) return platformOrganizationId
  return principal.organization ?? shownOrganization ?? (principal.user === null ? null : platformOrganizationId)
}

type Principal = Pick<NewAuditEntry, 'principal_kind' | 'principal_id'>

/** A call without a token is that of a visitor; it has no user. An operator who reads as a user is named, not that user. */
function principalOf({ kind, id, user, impersonator, oauth_client }: AuditedCall['principal']): Principal {
  if (impersonator !== undefined) return { principal_kind: 'impersonator', principal_id: impersonator }
  if (oauth_client) return { principal_kind: 'oauth_client', principal_id: id }
  return { principal_kind: kind === 'human' && user === null ? 'visitor' : kind, principal_id: id }
}

/** The row of a call in an organization. */
export function toAuditEntry(facts: AuditedCallData, organization_id: string, end: RowEnd): NewAuditEntry {
  const { principal, operation, requestId, address } = facts.call
  return {
    organization_id,
    id: facts.id,
    at: facts.at,
    ...principalOf(principal),
    operation: operation.id,
    reason: isOperatorOperation(operation) ? textOf(facts, 'reason') : null,
    request_id: requestId,
    address,
    ...end,
  }
}

/** The same call in a row of its own, if the first one is sealed already. */
export const toAdditionalAuditEntry = (row: NewAuditEntry): NewAuditEntry => ({ ...row, id: newId() })

/**
 * The end of a row as of the commit of the change, before the end of the call. A transaction that creates an entity
 * mostly returns what the call will, so its result is taken for the output; the end of the call corrects it otherwise.
 */
export const toCommittedAuditedCallEnd = (facts: AuditedCallData, result: unknown): RowEnd => ({
  ...targetOf(facts, () => result),
  outcome: 'succeeded',
  problem: null,
  refusal_key: null,
})

/** The end of the row of a call that has succeeded. */
export function toSucceededCallEnd(
  facts: AuditedCallData,
  { kind, output }: Extract<AuditedCallEnd, { output: unknown }>,
): RowEnd {
  const isDryRun = kind === 'succeeded' && facts.input?.['dry_run'] === true
  const outcome: AuditOutcome = isDryRun ? 'dry_run' : kind
  return { ...targetOf(facts, output), outcome, problem: null, refusal_key: null }
}

/** The end of the row of a call that was refused (4xx) or has failed (5xx). */
export function toFailedAuditedCallEnd(
  facts: AuditedCallData,
  { problem, status }: Extract<AuditedCallEnd, { problem: unknown }>,
): RowEnd {
  const outcome = status < 500 ? 'refused' : 'failed'
  return { ...targetOf(facts, null), outcome, problem, refusal_key: null }
}

function targetOf({ call, input }: AuditedCallData, output: (() => unknown) | null) {
  const rule = findAuditTargetRule(call.operation.id)
  if (!rule) return { target_type: null, target_id: null }
  const target_id =
    findAuditTargetInInput(rule, input) ??
    (output && rule.output !== null ? findAuditTargetInOutput(rule, output()) : null)
  return { target_type: rule.type, target_id }
}

/** Equal refusals of one minute have one key: same caller, operation and problem. */
export function computeRefusalGroupKey(
  { call: { principal, operation }, at }: AuditedCallData,
  problem: string,
): string {
  const minute = Math.floor(at.getTime() / minute_ms)
  const { principal_kind, principal_id } = principalOf(principal)
  return `${minute} ${principal_kind}:${principal_id} ${operation.id} ${problem}`
}
