import type { Call } from '../../../packages/server/src/engine/call.ts'
import type { Claim } from '../../../packages/server/src/engine/once.ts'
import { observation } from '../../../packages/server/src/engine/observe.ts'
import { closeTopupTask } from '../../../packages/server/src/domains/billing/topups/topup.ts'
import { receiveEvent } from '../../../packages/server/src/domains/billing/processor/processor-events.ts'
import { openClocks, type Clock, type OrganizationClocks } from '../../../packages/server/src/platform/clock.ts'
import type { Database } from '../../../packages/server/src/platform/database/database.ts'
import { ownerOf } from '../../../packages/server/src/platform/database/raw.ts'
import { sql } from '../../../packages/server/src/platform/database/sql.ts'
import {
  openEmbedded,
  type EmbeddedProcessor,
} from '../../../packages/server/src/platform/outside/payments/embedded/embedded.ts'
import {
  PaymentsFailure,
  type ProcessorEvent,
} from '../../../packages/server/src/platform/outside/payments/payments.ts'
import { ask, claimOf, losing } from '../../../packages/server/test/paying.ts'
import { openBench, type Bench } from '../../../packages/server/test/work.ts'
import { actorOf } from './actor.ts'
import type { Command, Of } from './model.ts'
import type { TopupCommand } from './model-topups.ts'
import type { PublishedCard } from './wallet.ts'
import { idOf, nameIt, type World } from './world.ts'

/** Payments of an organization: the processor, saved cards, and received webhook events. */
export interface Till {
  readonly payments: EmbeddedProcessor
  readonly cards: ReadonlyMap<PublishedCard, string>
  readonly claims: Map<string, { readonly claim: Claim; readonly input: object }>
  readonly post: ProcessorEvent[]
  /** Payment intents by top-up id. */
  readonly intents: Map<string, { readonly id: string; readonly client_secret: string | null }>
}

/** The processor's clock is fixed, so that cards and keys do not expire. */
const clock = openClocks({ now: () => new Date(Date.UTC(2026, 2, 1)) })

const tills = new WeakMap<World, Promise<Till>>()

/** Opens the driver on first use. */
function tillOf(world: World): Promise<Till> {
  const till = tills.get(world) ?? openTill(world)
  tills.set(world, till)
  return till
}

/** A proxy for the current database of a fixture: the processor survives its restarts. */
const databaseOf = ({ ground }: World): Database =>
  new Proxy({} as Database, { get: (_, member) => Reflect.get(ground.database, member) })

/** Opens the processor and saves a card of every kind. */
async function openTill(world: World): Promise<Till> {
  const database = databaseOf(world)
  const intents: Till['intents'] = new Map()
  const payments = noting(openEmbedded({ database, clock, key: new Uint8Array(32).fill(7) }), intents)
  const post: ProcessorEvent[] = []
  payments.listen(async (body, signature) => void post.push(await payments.readEvent(body, signature)))
  const cards = new Map<PublishedCard, string>()
  for (const card of ['good', 'declined', '3ds'] as const) {
    const { call } = counter(world, payments, clock)
    const { id } = await ask<{ id: string }>(call, 'payment_methods.attach', { payment_method_id: `pm_card_${card}` })
    cards.set(card, id)
  }
  // Saving the cards is not part of a history.
  await database.across.query(sql`
    delete from billing_deadlines where organization_id = ${world.organization} and kind = 'card-warning'`)
  await ownerOf(database).query(sql`
    delete from events where organization_id = ${world.organization} and kind = 'payment_method.attached'`)
  return { payments, cards, claims: new Map(), post, intents }
}

/** The processor, recording payment intents by top-up, whether responses arrive or not. */
function noting(payments: EmbeddedProcessor, intents: Till['intents']): EmbeddedProcessor {
  const charge: EmbeddedProcessor['charge'] = async (terms, key) => {
    const note = (id: string, client_secret: string | null): void =>
      void intents.set(terms.metadata['topup_id']!, { id, client_secret })
    try {
      const intent = await payments.charge(terms, key)
      note(intent.id, intent.client_secret)
      return intent
    } catch (error) {
      if (error instanceof PaymentsFailure && error.intent !== null) note(error.intent, null)
      throw error
    }
  }
  return { ...payments, charge }
}

/** A call of the first member, who may pay, and a runner for its background tasks. */
function counter(
  world: World,
  payments: EmbeddedProcessor,
  time: Clock & OrganizationClocks,
): { call: Call; bench: Bench } {
  const { organization, users, ground } = world
  const { database } = ground
  const outside: Call['outside'] = {
    fetch: async () => {
      throw new Error('the proof makes no HTTP requests')
    },
    hosts: new Map(),
    payments,
  }
  const nothing = undefined as never
  const bench = openBench({ database, clock: time, blobs: nothing, outside })
  const db = database.of(organization)
  const call: Call = {
    ...actorOf(organization, users[0]!, time),
    db,
    searchDb: db,
    across: database.across,
    transaction: (work) => db.transaction(work),
    clocks: time,
    claim: null,
    baseUrl: 'http://localhost',
    log: observation(),
    signal: new AbortController().signal,
    outside,
    blobs: nothing,
    queue: bench.queue,
    origin: '',
    quotas: nothing,
    rates: nothing,
    signer: nothing,
    passwords: nothing,
    reserve: nothing,
    tellLimits: nothing,
    within: () => call,
  }
  return { call, bench }
}

interface Visit {
  readonly world: World
  readonly till: Till
  readonly call: Call
  readonly bench: Bench
}

/** Performs top-up commands, each in transactions of its own; background tasks run immediately. */
const visits: { readonly [Do in TopupCommand['do']]: (visit: Visit, command: Of<Do>) => Promise<unknown> } = {
  'top up': (visit, { name, card, amount, lost }) => {
    const { payments, cards, claims } = visit.till
    const kept = { claim: claimOf(), input: { credits: amount, payment_method_row_id: cards.get(card)! } }
    claims.set(name, kept)
    const outside = { ...visit.call.outside, payments: lost ? losing(payments, ['charge'], () => true) : payments }
    return topUp({ ...visit, call: { ...visit.call, outside } }, name, kept)
  },
  'top up again': (visit, { name, claim }) => topUp(visit, name, visit.till.claims.get(claim)!),
  challenge: async (at, { topup, passes }) => {
    const secret = intentOf(at, topup)?.client_secret
    if (!secret) return null
    // Only the first response to a challenge counts; the returned state shows which one that was.
    return (await at.till.payments.settleChallenge(secret, passes ? 'complete' : 'fail'))?.state
  },
  close: ({ world, bench }, { topup }) =>
    bench.once(closeTopupTask, { organization_id: world.organization, topup_id: idOf(world, topup) }),
  hear: async (at, { topup, turn }) => {
    const { world, till, call, bench } = at
    await till.payments.deliverEvents()
    const found = intentOf(at, topup)
    const told = till.post.filter((event) => event.object_id === found?.id)
    const turned = told.map((_, index) => told[(index + turn) % told.length]!)
    const again =
      turn % 3 === 0 ? told.map((event) => ({ ...event, id: `${event.id}_${call.clock.now().getTime()}` })) : turned
    const ground = { database: world.ground.database, queue: bench.queue, clock: call.clocks.process }
    for (const event of [...turned.toReversed(), ...again]) await receiveEvent(ground, event)
  },
}

/** Registers the name for the top-up that the call creates, if it creates one. */
async function topUp({ world, call }: Visit, name: string, { claim, input }: { claim: Claim; input: object }) {
  const before = claim.data['topup_id']
  const reach: Claim['reach'] = (tx, point, data) => {
    const begun = data['topup_id']
    if (typeof begun === 'string' && begun !== before && !world.names.has(begun)) nameIt(world, name, begun)
    return claim.reach(tx, point, data)
  }
  const asking = Object.defineProperties({} as Claim, Object.getOwnPropertyDescriptors(claim))
  const { status } = await ask<{ status: string }>(
    { ...call, claim: Object.assign(asking, { reach }) },
    'billing.topup',
    input,
  )
  return status
}

const intentOf = ({ world, till }: Visit, topup: string) => till.intents.get(idOf(world, topup))

export const isVisit = (command: Command): command is Extract<Command, TopupCommand> => command.do in visits

/**
 * Commands that must not run concurrently. A call is not repeated before its response: its idempotency claim prevents that.
 * Closing a top-up reads the processor and the ledger one after the other and may interleave with others: nothing is lost,
 * but the result is not linearizable.
 */
export function doClash(one: Command, other: Command): boolean {
  if (one.do === 'top up again' && other.do === one.do) return other.claim === one.claim
  return closes(one, other) || closes(other, one)
}

const closes = (one: Command, other: Command): boolean =>
  one.do === 'close' && (other.do === 'top up again' || ('topup' in other && other.topup === one.topup))

/** Performs a top-up command and its background tasks; throws what the call throws. */
export async function visit(world: World, command: Extract<Command, TopupCommand>): Promise<unknown> {
  const till = await tillOf(world)
  const { call, bench } = counter(world, till.payments, openClocks({ now: () => new Date(command.at) }))
  const doing = visits[command.do] as (visit: Visit, command: TopupCommand) => Promise<unknown>
  try {
    return (await doing({ world, till, call, bench }, command)) ?? null
  } finally {
    await bench.run()
    await nameLots(world)
  }
}

/** Registers the names of lots, derived from their top-ups. */
async function nameLots(world: World): Promise<void> {
  const { organization, ground, names } = world
  const rows = await ground.database.of(organization).query<{ id: string; lot_id: string }>(sql`
    select id, lot_id from topups where organization_id = ${organization} and lot_id is not null`)
  for (const { id, lot_id } of rows) if (!names.has(lot_id)) nameIt(world, `paid:${names.get(id)}`, lot_id)
}
