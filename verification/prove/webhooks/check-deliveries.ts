import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '@swath/client/client.ts'
import type { Endpoints } from './endpoints.ts'
import type { SubscribedProject } from './load.ts'

const open_states = ['pending', 'delivering', 'retrying'] as const
const page_size = 500
const poll_ms = 1000

interface EventJson {
  readonly event_id: string
  readonly data: { readonly name: string }
}

/** All pages of a list, one after the other. */
async function* listPages<T>(
  read: (next: string | null) => Promise<{ readonly rows: readonly T[]; readonly next?: string }>,
): AsyncGenerator<T> {
  for (let next: string | null = null; ;) {
    const page = await read(next)
    yield* page.rows
    if (page.next === undefined || page.rows.length === 0) return
    next = page.next
  }
}

const listEvents = (client: Client): AsyncGenerator<EventJson> =>
  listPages(async (next) => {
    const filter = { event_type: 'collection.updated', order: 'oldest', limit: page_size, next }
    const page = await client.call<{ events: EventJson[]; next?: string }>('events.list', filter)
    return { rows: page.events, ...(page.next === undefined ? {} : { next: page.next }) }
  })

const listDeadEventIds = (
  client: Client,
  { subscription_id }: SubscribedProject,
): AsyncGenerator<{ readonly event_id: string }> =>
  listPages(async (next) => {
    const filter = { subscription_id, state: 'dead', limit: page_size, next }
    const page = await client.call<{ deliveries: { event_id: string }[]; next?: string }>(
      'event_subscriptions.deliveries.list',
      filter,
    )
    return { rows: page.deliveries, ...(page.next === undefined ? {} : { next: page.next }) }
  })

async function hasOpenDeliveries(client: Client, { subscription_id }: SubscribedProject): Promise<boolean> {
  for (const state of open_states) {
    const filter = { subscription_id, state, limit: 1 }
    const { deliveries } = await client.call<{ deliveries: object[] }>('event_subscriptions.deliveries.list', filter)
    if (deliveries.length > 0) return true
  }
  return false
}

export interface WaitOptions {
  readonly timeout_ms: number
  /** True: an operator sends the due deliveries meanwhile, beside the worker. */
  readonly drain?: boolean
}

/** Waits until every delivery of the projects has ended; returns those which are still open after this time. */
export async function waitUntilEnded(
  client: Client,
  projects: readonly SubscribedProject[],
  { timeout_ms, drain = false }: WaitOptions,
): Promise<SubscribedProject[]> {
  const until_ms = performance.now() + timeout_ms
  let open = [...projects]
  while (open.length > 0 && performance.now() < until_ms) {
    if (drain) await client.call('webhooks.drain', {})
    const still: SubscribedProject[] = []
    for (const project of open) if (await hasOpenDeliveries(client, project)) still.push(project)
    open = still
    if (open.length > 0) await pause(poll_ms)
  }
  return open
}

interface CheckedEvents {
  readonly events: number
  readonly delivered: number
  readonly dead: number
  readonly violations: readonly string[]
}

const max_named = 5

/**
 * Compares the events of the organization with the acknowledged calls, and the received and dead-lettered deliveries.
 */
export async function checkEvents(
  client: Client,
  {
    projects,
    endpoints,
    acknowledged,
  }: {
    readonly projects: readonly SubscribedProject[]
    readonly endpoints: Endpoints
    readonly acknowledged: ReadonlySet<string>
  },
): Promise<CheckedEvents> {
  const dead = new Set<string>()
  for (const project of projects) for await (const { event_id } of listDeadEventIds(client, project)) dead.add(event_id)
  const unseen = new Set(acknowledged)
  const lost: string[] = []
  let [events, delivered, count_dead] = [0, 0, 0]
  for await (const { event_id, data } of listEvents(client)) {
    events += 1
    unseen.delete(data.name)
    if (endpoints.receipts.has(event_id)) delivered += 1
    else if (dead.has(event_id)) count_dead += 1
    else lost.push(event_id)
  }
  const violations = [...endpoints.violations]
  if (lost.length > 0) violations.push(`${lost.length} events are lost, such as ${lost.slice(0, max_named).join(', ')}`)
  if (unseen.size > 0)
    violations.push(
      `${unseen.size} acknowledged updates have no event, such as ${[...unseen].slice(0, max_named).join(', ')}`,
    )
  return { events, delivered, dead: count_dead, violations }
}
