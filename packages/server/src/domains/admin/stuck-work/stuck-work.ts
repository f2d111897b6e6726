import type { Static } from 'typebox'
import type { StuckWork, StuckWorkAction, StuckWorkKind } from '@swath/contract/schemas/stuck-work.ts'
import type { Call } from '../../../engine/call.ts'
import { Problem } from '../../../engine/problem.ts'
import type { StuckWorkRow } from '../../../engine/stuck-work.ts'
import { toActorInOrganization } from '../../organizations/all-organizations.ts'
import { withOrganizationNames } from '../../organizations/organization-names.ts'
import { stuckWorkQueries } from './kinds.ts'

/** A task that has failed this often is stuck; an operator may act on one of the shortest list. */
const min_acted_failures = 1

/** Reads the clock of an organization, which may be a sandbox. Throws `not-found`. */
async function requireOrganization(call: Call, organization: string | null): Promise<void> {
  if (organization !== null) await toActorInOrganization(call, organization)
}

const kindNames = Object.keys(stuckWorkQueries) as StuckWorkKind[]

export interface StuckWorkListOptions {
  readonly kind: StuckWorkKind | null
  readonly organization: string | null
  readonly min_failures: number
  /** Maximum number of entries of each kind. */
  readonly limit: number
}

/** Stuck work, oldest first. Throws `not-found` for an unknown organization. */
export async function listStuckWork(call: Call, options: StuckWorkListOptions): Promise<Static<typeof StuckWork>[]> {
  const { organization, min_failures, limit } = options
  await requireOrganization(call, organization)
  const found: Omit<Static<typeof StuckWork>, 'organization_name'>[] = []
  for (const kind of options.kind === null ? kindNames : [options.kind]) {
    const { min_age_ms, list } = stuckWorkQueries[kind]
    const rows = await list(call, { organization, id: null, min_age_ms, min_failures, limit })
    found.push(...rows.map((row) => toStuckWork(call, kind, row)))
  }
  const named = await withOrganizationNames(call.unscoped, found)
  return named.toSorted((left, right) => (left.stuck_since < right.stuck_since ? -1 : 1))
}

function toStuckWork({ clocks }: Call, kind: StuckWorkKind, row: StuckWorkRow) {
  const { clock, actions } = stuckWorkQueries[kind]
  const isOfProcess = clock === 'process' || row.organization_id === null
  const now = (isOfProcess ? clocks.process : clocks.forOrganization(row.organization_id)).now()
  return {
    kind,
    id: row.id,
    organization_id: row.organization_id,
    subject: row.subject,
    reason: row.reason,
    detail: row.detail,
    stuck_since: row.since.toISOString(),
    age_s: Math.max(0, Math.floor((now.getTime() - row.since.getTime()) / 1000)),
    actions: Object.keys(actions) as StuckWorkAction[],
  }
}

export interface StuckWorkActInput {
  readonly kind: StuckWorkKind
  readonly work_id: string
  readonly organization_id?: string | null
  readonly reason: string
}

/**
 * Acts on something that is stuck. Throws `not-found` if nothing of the kind is stuck under this id in the organization, and
 * `invalid-state` if the action does not fit the kind or its state.
 */
export async function actOnStuckWork(call: Call, action: StuckWorkAction, input: StuckWorkActInput) {
  const { kind, reason } = input
  const id = input.work_id.toLowerCase()
  const organization = input.organization_id?.toLowerCase() ?? null
  const { min_age_ms, list, actions } = stuckWorkQueries[kind]
  const act = actions[action]
  if (!act) throw new Problem('invalid-state', `The action "${action}" does not exist for "${kind}".`)
  await requireOrganization(call, organization)
  const [row] = await list(call, { organization, id, min_age_ms, min_failures: min_acted_failures, limit: 1 })
  if (!row || row.organization_id !== organization)
    throw new Problem('not-found', `Nothing of the kind "${kind}" with the id "${id}" is stuck in this organization.`)
  if (!(await act(call, { id, organization, reason })))
    throw new Problem('invalid-state', 'It has moved meanwhile, or its state does not allow that.')
  return { id, kind, action }
}
