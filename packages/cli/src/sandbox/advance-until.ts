import type { Client } from '@swath/client/client.ts'
import { CommandFailure } from '../failures.ts'

interface OrderState {
  readonly id: string
  readonly status: string
}

/** Words for statuses of orders. */
const statusOfWord: Readonly<Record<string, string>> = { delivered: 'FULFILLED', failed: 'FAILED_PERMANENTLY', cancelled: 'CANCELED' } // prettier-ignore
const endStatuses = new Set(['FULFILLED', 'FAILED_PERMANENTLY', 'PLACEMENT_FAILED', 'CANCELED'])

export interface AdvanceOptions {
  /** `delivered`, a status of orders such as `FULFILLED`, or a type of events such as `order.fulfilled`. */
  readonly until: string
  readonly max_days: number
  /** Called with the time of the sandbox after each step. */
  readonly onStep: (now: string) => void
}

const day_ms = 86_400_000

/** Advances the clock of a sandbox from deadline to deadline until its newest order has a status, or an event has happened. */
export async function advanceUntil(client: Client, { until, max_days, onStep }: AdvanceOptions): Promise<void> {
  const { now: begin } = await client.call('sandbox.clock.get', {})
  const end_ms = Date.parse(begin) + max_days * day_ms
  for (;;) {
    if (await isReached(client, until)) return
    const { now, next_due_at } = await client.call('sandbox.clock.get', {})
    if (next_due_at === null || Date.parse(next_due_at) > end_ms)
      throw new CommandFailure('timeout', `"${until}" is not reached by ${next_due_at === null ? 'anything that is due' : `${max_days} days`}; it is ${now} in the sandbox.`) // prettier-ignore
    const to = Date.parse(next_due_at) < Date.parse(now) ? now : next_due_at
    const result = await client.call('sandbox.clock.advance', { to })
    onStep(result.now)
  }
}

async function isReached(client: Client, until: string): Promise<boolean> {
  if (until.includes('.')) {
    const { events } = await client.call('events.list', { event_type: until, limit: 1 })
    return events.length > 0
  }
  const wanted = statusOfWord[until] ?? until
  const { content } = await client.call<{ content: OrderState[] }>('orders.list', { size: 1, sort: 'createdAt,desc' })
  const [order] = content
  if (!order) throw new CommandFailure('notFound', 'The sandbox has no order: a step of the story must place one.')
  if (order.status === wanted) return true
  if (endStatuses.has(order.status)) throw new CommandFailure('failure', `The order ${order.id} ended as ${order.status}, not ${wanted}.`) // prettier-ignore
  return false
}
