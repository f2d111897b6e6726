import { findOperation } from '@swath/contract/registry.ts'
import { createExample, sourceOf } from '../../../packages/server/test/contract/id-sources.ts'
import { newId } from '../../../packages/server/src/platform/ids.ts'
import type { MatrixCase } from './cases.ts'
import type { MatrixPrincipal, World } from './facts.ts'
import { compareTimes, type TimeDifference } from './rank-sum.ts'
import { sendCase, type CaseServer } from './send-case.ts'

/** Operations of different kinds, each with the field that names its entity. */
const sampled: readonly (readonly [operation: string, field: string])[] = [
  ['items.get', 'item_id'],
  ['items.update', 'item_id'],
  ['items.tile.render', 'item_id'],
  ['collections.get', 'collection_id'],
  ['orders.get', 'order_id'],
  ['orders.cancel', 'order_id'],
  ['projects.get', 'project_id'],
  ['processing.job.get', 'job_id'],
  ['share.link.get', 'link_id'],
  ['webhooks.get', 'webhook_id'],
  ['event_subscriptions.get', 'subscription_id'],
  ['billing.invoices.get', 'invoice_id'],
  ['organizations.members.set_role', 'user_id'],
  ['api_keys.revoke', 'key_id'],
  ['uploads.get', 'upload_id'],
]

/** An effect below this is noise of a machine that does other things. */
const max_effect = 0.25
/** A difference below this part of the time cannot be told over a network. */
const max_ratio_difference = 0.1

const pairs = { short: 40, long: 200, again: 600 }

export interface MeasuredOperation extends TimeDifference {
  readonly operation: string
}

/** Interleaves calls with an id of another organization and with a random one. */
async function measure(server: CaseServer, timed: TimedOperation, count: number): Promise<TimeDifference> {
  const times: Record<'foreign' | 'random', number[]> = { foreign: [], random: [] }
  for (let at = 0; at < count; at++) {
    // Which of the two comes first alternates.
    for (const kind of at % 2 === 0 ? (['foreign', 'random'] as const) : (['random', 'foreign'] as const)) {
      const matrixCase = timed(kind === 'foreign')
      const start_ms = performance.now()
      await sendCase(server, matrixCase)
      times[kind].push(performance.now() - start_ms)
    }
  }
  return compareTimes(times.foreign, times.random)
}

type TimedOperation = (isForeign: boolean) => MatrixCase

function createTimedOperation(
  principal: MatrixPrincipal,
  { own, foreign }: World,
  [id, field]: readonly [string, string],
): TimedOperation {
  const operation = findOperation(id)!
  const source = sourceOf(operation, field)!
  return (isForeign) => ({
    principal,
    operation,
    route: null,
    target: isForeign ? 'other organization' : 'random',
    field,
    isFilter: false,
    isMixed: false,
    input: { ...createExample(operation, own), [field]: isForeign ? source(foreign) : newId() },
  })
}

const isSuspicious = ({ effect, ratio }: TimeDifference): boolean =>
  Math.abs(effect) > max_effect && Math.abs(ratio - 1) > max_ratio_difference

/** Compares how long answers to foreign and to random ids take. What is suspicious is measured again, longer, before it counts. */
export async function compareAnswerTimes(
  { world, ...server }: CaseServer & { readonly world: World },
  principal: MatrixPrincipal,
  short: boolean,
): Promise<{ readonly measured: readonly MeasuredOperation[]; readonly violations: readonly string[] }> {
  const measured: MeasuredOperation[] = []
  const violations: string[] = []
  for (const row of sampled) {
    const timed = createTimedOperation(principal, world, row)
    await measure(server, timed, 5)
    let difference = await measure(server, timed, short ? pairs.short : pairs.long)
    if (isSuspicious(difference)) difference = await measure(server, timed, pairs.again)
    const [operation] = row
    measured.push({ operation, ...difference })
    if (isSuspicious(difference))
      violations.push(
        `${operation}: an id of another organization takes ${difference.ratio.toFixed(2)} times as long as a random one (effect ${difference.effect.toFixed(2)})`,
      )
  }
  return { measured, violations }
}
