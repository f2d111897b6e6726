import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '@swath/client/client.ts'
import type { Database } from '../../src/platform/database/database.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { newId } from '../../src/platform/ids.ts'
import type { WebhookReceiver } from './webhook-receiver.ts'

export interface SubscriptionJson {
  readonly id: string
  readonly secret: string
  readonly active: boolean
  readonly failing_since: string | null
  readonly held_until: string | null
  readonly disabled_reason: string | null
}

export interface DeliveryJson {
  readonly id: string
  readonly event_id: string
  readonly state: string
  readonly attempts: number
  readonly entity_id: string
  readonly next_attempt_at: string | null
}

export interface AttemptJson {
  readonly id: string
  readonly delivered: boolean
  readonly http_status: number | null
  readonly error: string | null
  readonly response_body: string | null
  readonly duration_ms: number
}

/** A user who subscribes endpoints of a receiver to `collection.created` and reads what became of the deliveries. */
export interface DeliveryClient {
  call<T>(operation: string, input: object): Promise<T>
  /** Each test has an endpoint of its own. */
  subscribe(path: string, more?: object): Promise<SubscriptionJson>
  /** Causes one event; returns the id of the collection. */
  createCollection(name?: string): Promise<string>
  /** The newest deliveries of a subscription. */
  list(subscription: SubscriptionJson): Promise<DeliveryJson[]>
  attemptsOf(delivery: DeliveryJson): Promise<AttemptJson[]>
  read(subscription: SubscriptionJson): Promise<SubscriptionJson>
  /** Waits until the newest delivery of the subscription is in the state, after so many attempts. */
  waitFor(subscription: SubscriptionJson, state: string, attempts?: number): Promise<DeliveryJson>
  delete(subscription: SubscriptionJson): Promise<unknown>
}

/** Waits for a condition that background work brings about. */
export async function eventually<T>(find: () => Promise<T | undefined>, what: string): Promise<T> {
  for (let check = 0; check < 600; check += 1) {
    const found = await find()
    if (found !== undefined) return found
    await pause(20)
  }
  return assert.fail(`${what} did not happen`)
}

/** After a lost claim or a failed first attempt, a delivery is sent again within this time: lease and second delay. */
const max_stall_ms = 30_000

/**
 * Waits until no delivery of the organization is open. Fails once none has ended for so long that each should have been sent again,
 * and names those that are open with their last errors: how long all of them take depends on the machine.
 */
export async function waitForDeliveries({ unscoped }: Pick<Database, 'unscoped'>, organization: string): Promise<void> {
  let progress = ''
  for (let progress_ms = performance.now(); ;) {
    const open = await unscoped.query<{ id: string; state: string; attempts: number; error: string | null }>(sql`
      select d.id, d.state, d.attempts,
             (select a.error from event_delivery_attempts a
              where a.organization_id = ${organization} and a.delivery_id = d.id
              order by a.started_at desc limit 1) as error
      from event_deliveries d where d.organization_id = ${organization} and d.next_at is not null
      order by d.id`)
    if (open.length === 0) return
    const now = JSON.stringify(open)
    if (now !== progress) progress_ms = performance.now()
    else if (performance.now() - progress_ms > max_stall_ms) assert.fail(`deliveries do not end: ${now}`)
    progress = now
    await pause(20)
  }
}

export function createDeliveryClient(
  client: Client,
  project_id: string,
  { origin }: Pick<WebhookReceiver, 'origin'>,
): DeliveryClient {
  const call = <T>(operation: string, input: object): Promise<T> => client.call<T>(operation, input)
  const list = async ({ id }: SubscriptionJson): Promise<DeliveryJson[]> =>
    (await call<{ deliveries: DeliveryJson[] }>('event_subscriptions.deliveries.list', { subscription_id: id }))
      .deliveries
  return {
    call,
    list,
    subscribe: (path, more = {}) =>
      call('event_subscriptions.create', {
        event_type: 'collection.created',
        endpoint_url: `${origin}${path}`,
        ...more,
      }),
    createCollection: async (name = newId()) =>
      (await call<{ id: string }>('collections.create', { project_id, name })).id,
    attemptsOf: async ({ id }) =>
      (await call<{ attempts: AttemptJson[] }>('event_subscriptions.deliveries.get', { delivery_id: id })).attempts,
    read: async ({ id }) =>
      (await call<{ subscription: SubscriptionJson }>('event_subscriptions.get', { subscription_id: id })).subscription,
    waitFor: (subscription, state, attempts) =>
      eventually(async () => {
        const [delivery] = await list(subscription)
        const isReached = delivery?.state === state && (attempts === undefined || delivery.attempts === attempts)
        return isReached ? delivery : undefined
      }, `a delivery in state ${state}`),
    delete: ({ id }) => call('event_subscriptions.delete', { subscription_id: id }),
  }
}
