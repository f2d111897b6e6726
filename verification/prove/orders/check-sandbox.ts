import { Compile } from 'typebox/compile'
import { eventDefinitions, type EventType } from '@swath/contract/events.ts'
import { orderLifecycle, taskingLifecycle, type Lifecycle } from '@swath/contract/lifecycles.ts'
import type { Database } from '../../../packages/server/src/platform/database/database.ts'
import { sql, type Sql } from '../../../packages/server/src/platform/database/sql.ts'
import { findLedgerViolations, findViolations } from '../harness/rules.ts'

type CheckedDatabase = Pick<Database, 'unscoped'>

/** The pairs of states that a table of transitions permits, with the event of each; "" before the first state. */
function permittedPairs(lifecycle: Lifecycle<string, string>): ReadonlyMap<string, readonly (EventType | null)[]> {
  const pairs = new Map<string, (EventType | null)[]>()
  for (const { from, to, emits } of Object.values(lifecycle.transitions))
    for (const state of from ?? ['']) {
      const pair = `${state} > ${to}`
      pairs.set(pair, [...(pairs.get(pair) ?? []), emits])
    }
  return pairs
}

const permitted = { order: permittedPairs(orderLifecycle), tasking: permittedPairs(taskingLifecycle) }
const validators = new Map(Object.entries(eventDefinitions).map(([kind, { data }]) => [kind, Compile(data)]))

/** Rules of the orders of one organization after every step; each row that a statement returns is a violation. */
const orderRules: readonly (readonly [string, (organization: string) => Sql])[] = [
  [
    'the open holds are not those of open orders with a price',
    (organization) => sql`
      select o.id, o.status, o.total_credits, h.amount_credits, r.outcome from orders o
      left join credit_holds h on h.organization_id = o.organization_id and h.id = o.hold_id
      left join credit_hold_resolutions r on r.organization_id = o.organization_id and r.hold_id = o.hold_id
      where o.organization_id = ${organization} and (
        (o.status in ('FULFILLED', 'FAILED_PERMANENTLY', 'CANCELED')) <> (r.hold_id is not null) and o.hold_id is not null
        or (o.total_credits > 0) <> (o.hold_id is not null)
        or h.amount_credits <> o.total_credits)`,
  ],
  [
    'the held credits are not the sum of the open holds',
    (organization) => sql`
      select held.credits, account.balance_credits from (
        select coalesce(sum(h.amount_credits), 0) as credits from credit_holds h
        left join credit_hold_resolutions r on r.organization_id = h.organization_id and r.hold_id = h.id
        where h.organization_id = ${organization} and r.hold_id is null and h.mode = 'credit') held
      left join ledger_accounts account
        on account.organization_id = ${organization} and account.name = 'wallet.held'
      where held.credits <> coalesce(account.balance_credits, 0)`,
  ],
  [
    'an order is not charged for what was delivered, or its fee',
    (organization) => sql`
      select o.id, o.status, o.captured_credits, o.refunded_credits, o.total_credits from orders o
      where o.organization_id = ${organization} and (
        o.status in ('FULFILLED', 'FAILED_PERMANENTLY', 'CANCELED')
          and o.captured_credits + o.refunded_credits <> o.total_credits
        or o.status not in ('FULFILLED', 'CANCELED') and o.captured_credits <> 0
        or o.status = 'CANCELED' and o.captured_credits not in (0, o.cancel_fee_credits)
        or o.status = 'FULFILLED' and o.captured_credits <> (
          select coalesce(sum(c.credits), 0) from order_captures c
          where c.organization_id = o.organization_id and c.order_id = o.id and c.delivered_at is not null))`,
  ],
  [
    'the status of an order is not that of its last transition',
    (organization) => sql`
      select o.id, o.status, o.sub_status from orders o
      where o.organization_id = ${organization} and (
        o.status is distinct from (
          select to_status from order_status_changes c
          where c.organization_id = o.organization_id and c.order_id = o.id order by position desc limit 1)
        or o.sub_status is distinct from (
          select to_sub_status from tasking_status_changes c
          where c.organization_id = o.organization_id and c.order_id = o.id order by position desc limit 1))`,
  ],
  [
    'a closed order has an open decision',
    (organization) => sql`
      select d.id from tasking_decisions d join orders o on o.organization_id = d.organization_id and o.id = d.order_id
      where d.organization_id = ${organization} and d.decision = 'NOT_DECIDED' and o.status <> 'CREATED'`,
  ],
  [
    'a failed order has an item, or a delivered scene has none',
    (organization) => sql`
      select c.item_id from order_captures c join orders o on o.organization_id = c.organization_id and o.id = c.order_id
      left join items i on i.organization_id = c.organization_id and i.id = c.item_id
      where c.organization_id = ${organization} and (
        (c.delivered_at is null) <> (i.id is null) or o.status = 'CANCELED' and i.id is not null)`,
  ],
]

interface ChangeRow {
  readonly order_id: string
  readonly kind: 'order' | 'tasking'
  readonly from_state: string | null
  readonly to_state: string
}

interface EventCountRow {
  readonly kind: string
  readonly entity_id: string
  readonly count: number
}

/** Every transition is in its table, and its events are those that the table names. */
async function checkTransitions({ unscoped }: CheckedDatabase, organization: string): Promise<string[]> {
  // One statement sees one state: background work goes on meanwhile.
  const [read] = await unscoped.query<{ changes: ChangeRow[]; events: EventCountRow[] }>(
    sql.generic(sql`
      select
        (select coalesce(json_agg(c), '[]') from (
          select order_id, 'order' as kind, from_status as from_state, to_status as to_state
          from order_status_changes where organization_id = ${organization}
          union all
          select order_id, 'tasking', from_sub_status, to_sub_status
          from tasking_status_changes where organization_id = ${organization}) c) as changes,
        (select coalesce(json_agg(e), '[]') from (
          select kind, entity_id, count(*) as count from events
          where organization_id = ${organization} and entity_type = 'order'
            and (kind like 'order.%' or kind like 'tasking.%' or kind like 'quotation.%' or kind like 'feasibility.%')
          group by kind, entity_id) e) as events`),
  )
  const { changes, events } = read!
  const violations: string[] = []
  const least = new Map<string, number>()
  const most = new Map<string, number>()
  const add = (counts: Map<string, number>, name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1)
  for (const { order_id, kind, from_state, to_state } of changes) {
    const emitted = permitted[kind].get(`${from_state ?? ''} > ${to_state}`)
    if (!emitted) violations.push(`order ${order_id} went from ${from_state} to ${to_state}`)
    for (const event of new Set(emitted ?? [])) if (event) add(most, `${event} of ${order_id}`)
    const [only, ...others] = new Set(emitted ?? [])
    if (only && others.length === 0) add(least, `${only} of ${order_id}`)
  }
  const found = new Map(events.map(({ kind, entity_id, count }) => [`${kind} of ${entity_id}`, count]))
  for (const [name, count] of least)
    if ((found.get(name) ?? 0) < count) violations.push(`${name}: ${found.get(name) ?? 0} events, ${count} transitions`)
  for (const [name, count] of found)
    if ((most.get(name) ?? 0) < count) violations.push(`${name}: ${count} events, ${most.get(name) ?? 0} transitions`)
  return violations
}

/** Most steps write fewer; the others are checked when the sandbox is left. */
const max_new_events = 30
const max_checked_events = 100_000

/** The newest events are valid against their closed schemas. */
async function checkEvents({ unscoped }: CheckedDatabase, organization: string, count: number): Promise<string[]> {
  const rows = await unscoped.query<{ id: string; kind: string; data: unknown }>(
    sql.generic(sql`
      select id, kind, data from events where organization_id = ${organization} order by id desc limit ${count}`),
  )
  return rows
    .filter(({ kind, data }) => !validators.get(kind)?.Check(data))
    .map(({ id, kind, data }) => `the event ${id} is not a ${kind}: ${JSON.stringify(data)}`)
}

/**
 * Checks the invariants after every step: states, sums and events of the orders of a sandbox. Returns the violations.
 */
export async function checkOrders(
  database: CheckedDatabase,
  organization: string,
  event_count = max_new_events,
): Promise<string[]> {
  const rules = orderRules.map(([sentence, statement]) => [sentence, statement(organization)] as const)
  return [
    ...(await findViolations(database.unscoped, rules)),
    ...(await checkTransitions(database, organization)),
    ...(await checkEvents(database, organization, event_count)),
  ]
}

/** The same with the journal, whose statements read all of it, and tasks that failed for good. */
export async function checkSandbox(database: CheckedDatabase, organization: string): Promise<string[]> {
  const deadLetters = sql`select * from billing_dead_letters where organization_id = ${organization}`
  return [
    ...(await checkOrders(database, organization, max_checked_events)),
    ...(await findLedgerViolations(database.unscoped, organization)),
    ...(await findViolations(database.unscoped, [['a task of billing has failed', deadLetters]])),
  ]
}
