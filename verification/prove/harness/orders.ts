import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '@swath/client/client.ts'
import type { Database } from '../../../packages/server/src/platform/database/database.ts'
import { sql } from '../../../packages/server/src/platform/database/sql.ts'
import { findLedgerViolations, findViolations, openHoldRule, openStoppedDatabase, type Rule } from './rules.ts'
import { waitFor } from './resources.ts'

export interface Offer {
  readonly captures: readonly object[]
  readonly credits: number
}

/** An order placement of a proof, sent again with its idempotency key until it gets a response. */
export interface OrderPlacement extends Offer {
  readonly key: string
  order: string | null
}

interface Capture {
  readonly id: string
  readonly geometry: object
  readonly host: string
}

/** Scenes of a host. */
export async function findScenes(client: Client, host: string, limit = 1): Promise<Capture[]> {
  const search = { host_name: host, limit }
  const { features } = await client.call<{ features: { id: string; geometry: object }[] }>('catalog.search', search)
  return features.map(({ id, geometry }) => ({ id, geometry, host }))
}

/** Captures with their price. */
export async function createOffer(client: Client, captures: readonly object[]): Promise<Offer> {
  const { total_credits } = await client.call<{ total_credits: number }>('orders.archive.estimate', { captures })
  return { captures, credits: total_credits }
}

/** Sends a placement with its key; one that had a response must get the same order again. */
export async function placeOrder(client: Client, placement: OrderPlacement): Promise<void> {
  const { captures, key } = placement
  const { id } = await client.call<{ id: string }>('orders.archive.place', { captures }, { idempotencyKey: key })
  if (placement.order !== null && placement.order !== id)
    throw new Error(`the key ${key} returned order ${placement.order} and then ${id}`)
  placement.order = id
}

/** Repeats a call until it has a successful response, also while its key is in flight. */
export async function repeatCall(key: string, call: () => Promise<unknown>): Promise<void> {
  let refusal: unknown = null
  for (let tries = 0; tries < 40; tries++) {
    try {
      await call()
      return
    } catch (error) {
      refusal = error
      await pause(500)
    }
  }
  throw new Error(`the call ${key} gets no successful response`, { cause: refusal })
}

/** Repeats every placement without a response. */
export async function retryUnanswered(client: Client, placements: readonly OrderPlacement[]): Promise<void> {
  for (const placement of placements.filter(({ order }) => order === null))
    await repeatCall(placement.key, () => placeOrder(client, placement))
}

interface OrderState {
  readonly status: string
  readonly itemCount: number
  readonly creditsCaptured: number
  readonly captures: readonly { readonly deliveredAt: string | null }[]
}

export const readOrder = (client: Client, order_id: string | null): Promise<OrderState> =>
  client.call<OrderState>('orders.get', { order_id })

/** Waits for each delivery; each placement must have created one order, which is complete and costs its estimate. */
export async function waitForDeliveries(
  client: Client,
  placements: readonly OrderPlacement[],
  timeout_ms: number,
): Promise<string[]> {
  const violations: string[] = []
  for (const { order, captures, credits } of placements) {
    const find = async (): Promise<OrderState | false> => {
      const state = await readOrder(client, order)
      return state.status === 'FULFILLED' && state
    }
    const state = (await waitFor(find, { timeout_ms, poll_ms: 250 })) ?? (await readOrder(client, order))
    if (state.status !== 'FULFILLED')
      violations.push(`order ${order} is ${state.status} after ${state.itemCount} scenes`)
    else if (state.itemCount !== captures.length)
      violations.push(`order ${order} has ${state.itemCount} items instead of ${captures.length}`)
    else if (state.creditsCaptured !== credits)
      violations.push(`order ${order} was charged ${state.creditsCaptured} instead of ${credits}`)
  }
  const { totalElements } = await client.call<{ totalElements: number }>('orders.list', { size: 1 })
  if (totalElements !== placements.length)
    violations.push(`${placements.length} placements created ${totalElements} orders`)
  return violations
}

/** Invariants after all orders have ended; each row that a statement returns is a violation. */
const orderRules: readonly Rule[] = [
  openHoldRule('order'),
  [
    'credits are held although every order has ended',
    sql`
    select name from ledger_accounts where name = 'wallet.held' and balance_credits <> 0`,
  ],
  [
    'an item was delivered twice',
    sql`
    select order_id from items where order_id is not null group by organization_id, order_id, scene_key having count(*) > 1`,
  ],
  [
    'a capture has no item',
    sql`
    select c.item_id from order_captures c left join items i on i.organization_id = c.organization_id and i.id = c.item_id
    where i.id is null`,
  ],
  [
    'an item of an order was not ordered',
    sql`
    select i.id from items i left join order_captures c on c.organization_id = i.organization_id and c.item_id = i.id
    where i.order_id is not null and c.item_id is null`,
  ],
  [
    'an order has more than one order.fulfilled event',
    sql`
    select entity_id from events where kind = 'order.fulfilled' group by organization_id, entity_id having count(*) <> 1`,
  ],
  [
    'an order does not have exactly one order.created event',
    sql`
    select entity_id from events where kind = 'order.created' group by organization_id, entity_id having count(*) <> 1`,
  ],
  [
    'an item does not have exactly one provenance edge to its order',
    sql`
    select i.id from items i left join provenance_edges e
      on e.organization_id = i.organization_id and e.src_type = 'item' and e.src_id = i.id::text and e.relation = 'delivered_by'
    where i.order_id is not null group by i.id having count(e.dst_id) <> 1`,
  ],
  ['an asset is not ready', sql`select id from assets where not ready`],
]

/** Opens the database of the stopped server and checks orders and ledger. */
export async function checkStoppedDatabase(data_dir: string, placements: readonly OrderPlacement[]): Promise<string[]> {
  await using database = await openStoppedDatabase({ data_dir, database_url: null })
  return await checkOrdersAndLedger(database, placements)
}

/** The same for an open database. */
export async function checkOrdersAndLedger(
  { unscoped }: Pick<Database, 'unscoped'>,
  placements: readonly OrderPlacement[],
): Promise<string[]> {
  const violations = [...(await findLedgerViolations(unscoped)), ...(await findViolations(unscoped, orderRules))]
  const spent = placements.reduce((sum, placement) => sum + placement.credits, 0)
  const [wallet] = await unscoped.query<{ spent: number }>(sql`
      select coalesce(sum(captured_credits), 0)::bigint as spent from credit_lots`)
  if (wallet?.spent !== spent) violations.push(`the wallet was charged ${wallet?.spent} credits instead of ${spent}`)
  return violations
}
