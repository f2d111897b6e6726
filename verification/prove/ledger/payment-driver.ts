import { noOpenIdProviders } from '../../../packages/server/test/federation/no-openid.ts'
import type { Call } from '../../../packages/server/src/engine/call.ts'
import type { IdempotencyClaim } from '../../../packages/server/src/engine/idempotency.ts'
import { createCallLog } from '../../../packages/server/src/engine/call-log.ts'
import { receivePaymentProcessorEvent } from '../../../packages/server/src/domains/card-payments/processor/processor-events.ts'
import {
  createOrganizationClocks,
  type Clock,
  type OrganizationClocks,
} from '../../../packages/server/src/platform/clock.ts'
import type { Database } from '../../../packages/server/src/platform/database/database.ts'
import { getSchemaOwnerConnection } from '../../../packages/server/src/platform/database/raw.ts'
import { sql } from '../../../packages/server/src/platform/database/sql.ts'
import {
  openEmbeddedPaymentProcessor,
  type EmbeddedPaymentProcessor,
} from '../../../packages/server/src/platform/integrations/payments/embedded/embedded.ts'
import {
  PaymentsFailure,
  type PaymentProcessorEvent,
} from '../../../packages/server/src/platform/integrations/payments/payments.ts'
import { callOperation, createClaim, withLostResponses } from '../../../packages/server/test/payment-fixtures.ts'
import { emptyQueue, noSandboxes } from '../../../packages/server/test/noop-queue.ts'
import { createTaskRunner, type TaskRunner } from '../../../packages/server/test/task-runner.ts'
import type { Command, CommandOf } from './model.ts'
import type { TopupCommand } from './model-topups.ts'
import type { PublishedCard } from './wallet.ts'
import { createActor, idOf, registerName, type LedgerFixture } from './fixture.ts'
import { backgroundTaskTypes } from '../../../packages/server/src/engine/task-types.ts'

/** Payments of an organization: the processor, saved cards, and received webhook events. */
interface PaymentDriver {
  readonly payments: EmbeddedPaymentProcessor
  readonly cards: ReadonlyMap<PublishedCard, string>
  readonly claims: Map<string, { readonly claim: IdempotencyClaim; readonly input: object }>
  readonly receivedEvents: PaymentProcessorEvent[]
  /** Payment intents by top-up id. */
  readonly intents: Map<string, { readonly id: string; readonly client_secret: string | null }>
}

/** The processor's clock is fixed, so that cards and keys do not expire. */
const clock = createOrganizationClocks({ now: () => new Date(Date.UTC(2026, 2, 1)) })

const drivers = new WeakMap<LedgerFixture, Promise<PaymentDriver>>()

/** Opens the driver on first use. */
export function getPaymentDriver(fixture: LedgerFixture): Promise<PaymentDriver> {
  const driver = drivers.get(fixture) ?? openPaymentDriver(fixture)
  drivers.set(fixture, driver)
  return driver
}

/** A proxy for the current database of a fixture: the processor survives its restarts. */
const createDatabaseProxy = ({ proofDatabase: dependencies }: LedgerFixture): Database =>
  new Proxy({} as Database, { get: (_, member) => Reflect.get(dependencies.database, member) })

/** Opens the processor and saves a card of every kind. */
async function openPaymentDriver(fixture: LedgerFixture): Promise<PaymentDriver> {
  const database = createDatabaseProxy(fixture)
  const intents: PaymentDriver['intents'] = new Map()
  const payments = recordIntents(
    openEmbeddedPaymentProcessor({ database, clock, key: new Uint8Array(32).fill(7) }),
    intents,
  )
  const receivedEvents: PaymentProcessorEvent[] = []
  payments.listen(async (body, signature) => void receivedEvents.push(await payments.readEvent(body, signature)))
  const cards = new Map<PublishedCard, string>()
  for (const card of ['good', 'declined', '3ds'] as const) {
    const { call } = createMemberCall(fixture, payments, clock)
    const { id } = await callOperation<{ id: string }>(call, 'payment_methods.attach', {
      payment_method_id: `pm_card_${card}`,
    })
    cards.set(card, id)
  }
  // Saving the cards is not part of a history.
  await database.unscoped.query(sql`
    delete from billing_deadlines where organization_id = ${fixture.organization} and kind = 'card-warning'`)
  await getSchemaOwnerConnection(database).query(sql`
    delete from events where organization_id = ${fixture.organization} and kind = 'payment_method.attached'`)
  return { payments, cards, claims: new Map(), receivedEvents, intents }
}

/** The processor, recording payment intents by top-up, whether responses arrive or not. */
function recordIntents(
  payments: EmbeddedPaymentProcessor,
  intents: PaymentDriver['intents'],
): EmbeddedPaymentProcessor {
  const charge: EmbeddedPaymentProcessor['charge'] = async (chargeRequest, key) => {
    const recordIntent = (id: string, client_secret: string | null): void =>
      void intents.set(chargeRequest.metadata['topup_id']!, { id, client_secret })
    try {
      const intent = await payments.charge(chargeRequest, key)
      recordIntent(intent.id, intent.client_secret)
      return intent
    } catch (error) {
      if (error instanceof PaymentsFailure && error.intent !== null) recordIntent(error.intent, null)
      throw error
    }
  }
  return { ...payments, charge }
}

/** A call of the first member, who may pay, and a runner for its background tasks. */
function createMemberCall(
  fixture: LedgerFixture,
  payments: EmbeddedPaymentProcessor,
  time: Clock & OrganizationClocks,
): { call: Call; bench: TaskRunner } {
  const { organization, users, proofDatabase: dependencies } = fixture
  const { database } = dependencies
  const integrations: Call['integrations'] = {
    fetch: async () => {
      throw new Error('the proof makes no HTTP requests')
    },
    checkUrl: async () => undefined,
    isInternalUrl: () => false,
    textRecords: async () => [],
    openid: noOpenIdProviders,
    hosts: new Map(),
    payments,
    // Nothing sends: the sweep of e-mails is not among the tasks of the proof.
    mail: { send: async () => undefined },
  }
  const unused = undefined as never
  const runner = createTaskRunner({ database, clock: time, blobs: unused, processServices: unused, integrations })
  const db = database.forOrganization(organization)
  const call: Call = {
    ...createActor(organization, users[0]!, time),
    db,
    itemSearchDb: db,
    unscoped: database.unscoped,
    transaction: (work) => db.transaction(work),
    clocks: time,
    claim: null,
    baseUrl: 'http://localhost',
    log: createCallLog(),
    signal: new AbortController().signal,
    integrations,
    blobs: unused,
    processServices: unused,
    queue: runner.queue,
    operatedQueue: emptyQueue,
    sandboxRunner: noSandboxes,
    rateLimitKey: '',
    quotas: unused,
    rateLimiter: unused,
    signer: unused,
    passwords: unused,
    reserveResponseBytes: unused,
    reportRateLimits: unused,
    isDryRun: false,
    asDryRun: unused,
    asOrganization: () => call,
  }
  return { call, bench: runner }
}

interface TopupContext {
  readonly fixture: LedgerFixture
  readonly driver: PaymentDriver
  readonly call: Call
  readonly bench: TaskRunner
}

/** Performs top-up commands, each in transactions of its own; background tasks run immediately. */
const topupPerformers: {
  readonly [Do in TopupCommand['do']]: (performTopup: TopupContext, command: CommandOf<Do>) => Promise<unknown>
} = {
  'top up': (performTopup, { name, card, amount, lost }) => {
    const { payments, cards, claims } = performTopup.driver
    const claimEntry = { claim: createClaim(), input: { credits: amount, payment_method_row_id: cards.get(card)! } }
    claims.set(name, claimEntry)
    const integrations = {
      ...performTopup.call.integrations,
      payments: lost ? withLostResponses(payments, ['charge'], () => true) : payments,
    }
    return topUp({ ...performTopup, call: { ...performTopup.call, integrations } }, name, claimEntry)
  },
  'top up again': (performTopup, { name, claim }) => topUp(performTopup, name, performTopup.driver.claims.get(claim)!),
  challenge: async (context, { topup, passes }) => {
    const secret = findIntent(context, topup)?.client_secret
    if (!secret) return null
    // Only the first response to a challenge counts; the returned state shows which one that was.
    return (await context.driver.payments.settleChallenge(secret, passes ? 'complete' : 'fail'))?.state
  },
  close: ({ fixture, bench: runner }, { topup }) =>
    runner.runTask(backgroundTaskTypes.closeTopup, {
      organization_id: fixture.organization,
      topup_id: idOf(fixture, topup),
    }),
  hear: async (context, { topup, turn }) => {
    const { fixture, driver, call, bench: runner } = context
    await driver.payments.deliverEvents()
    const intent = findIntent(context, topup)
    const events = driver.receivedEvents.filter((event) => event.object_id === intent?.id)
    const rotated = events.map((_, index) => events[(index + turn) % events.length]!)
    const redelivered =
      turn % 3 === 0 ? events.map((event) => ({ ...event, id: `${event.id}_${call.clock.now().getTime()}` })) : rotated
    const dependencies = { database: fixture.proofDatabase.database, queue: runner.queue, clock: call.clocks.process }
    const deliveries = [...rotated.toReversed(), ...redelivered]
    for (const event of deliveries) await receivePaymentProcessorEvent(dependencies, event)
    await runner.runPending()
    // An event that another client received first is acknowledged before its task has ended: the task also runs here.
    for (const { id } of deliveries) await runner.runTask(backgroundTaskTypes.applyPaymentEvent, { event_id: id })
  },
}

/** Registers the name for the top-up that the call creates, if it creates one. */
async function topUp(
  { fixture, call }: TopupContext,
  name: string,
  { claim, input }: { claim: IdempotencyClaim; input: object },
) {
  const before = claim.recoveryData['topup_id']
  const checkpoint: IdempotencyClaim['checkpoint'] = (tx, point, data) => {
    const topupId = data['topup_id']
    if (typeof topupId === 'string' && topupId !== before && !fixture.names.has(topupId))
      registerName(fixture, name, topupId)
    return claim.checkpoint(tx, point, data)
  }
  const claimWithCheckpoint = Object.defineProperties({} as IdempotencyClaim, Object.getOwnPropertyDescriptors(claim))
  const { status } = await callOperation<{ status: string }>(
    { ...call, claim: Object.assign(claimWithCheckpoint, { checkpoint }) },
    'billing.topup',
    input,
  )
  return status
}

const findIntent = ({ fixture, driver }: TopupContext, topup: string) => driver.intents.get(idOf(fixture, topup))

export const isTopupCommand = (command: Command): command is Extract<Command, TopupCommand> =>
  command.do in topupPerformers

/** Commands that read or change how much a member may buy: top-ups in progress count, and are not yet in the wallet. */
const limitedCommands = new Set<Command['do']>(['top up', 'top up again', 'cap'])

/**
 * Commands that must not run concurrently. A call is not repeated before its response: its idempotency claim prevents that.
 * A limit is compared when a top-up starts, and its credits arrive later: with another such command between, the result is
 * not linearizable.
 * Closing a top-up reads the processor and the ledger one after the other and may interleave with others: nothing is lost,
 * but the result is not linearizable.
 */
export function areConflicting(one: Command, other: Command): boolean {
  if (limitedCommands.has(one.do) && limitedCommands.has(other.do)) return true
  return isCloseConflict(one, other) || isCloseConflict(other, one)
}

const isCloseConflict = (one: Command, other: Command): boolean =>
  one.do === 'close' && (other.do === 'top up again' || ('topup' in other && other.topup === one.topup))

/** Performs a top-up command and its background tasks; throws the error of the call. */
export async function performTopup(fixture: LedgerFixture, command: Extract<Command, TopupCommand>): Promise<unknown> {
  const driver = await getPaymentDriver(fixture)
  const { call, bench: runner } = createMemberCall(
    fixture,
    driver.payments,
    createOrganizationClocks({ now: () => new Date(command.at) }),
  )
  const performer = topupPerformers[command.do] as (
    performTopup: TopupContext,
    command: TopupCommand,
  ) => Promise<unknown>
  try {
    return (await performer({ fixture, driver, call, bench: runner }, command)) ?? null
  } finally {
    await runner.runPending()
    await registerLotNames(fixture)
  }
}

/** Registers the names of lots, derived from their top-ups. */
async function registerLotNames(fixture: LedgerFixture): Promise<void> {
  const { organization, proofDatabase: dependencies, names } = fixture
  const rows = await dependencies.database.forOrganization(organization).query<{ id: string; lot_id: string }>(sql`
    select id, lot_id from topups where organization_id = ${organization} and lot_id is not null`)
  for (const { id, lot_id } of rows) if (!names.has(lot_id)) registerName(fixture, `paid:${names.get(id)}`, lot_id)
}
