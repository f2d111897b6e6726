import type { DueRowsQuery } from '../../../sandbox/due-rows.ts'
import type { Clock, OrganizationClocks } from '../../../clock.ts'
import type { Database } from '../../../database/database.ts'
import { parsePaymentProcessorEvent } from '../parse-event.ts'
import { PaymentsFailure, type ChargeRequest, type PaymentIntent, type PaymentProcessor } from '../payments.ts'
import { verifyWebhookSignature } from '../webhook-signature.ts'
import {
  deliverDuePaymentProcessorEvents,
  endSandboxPaymentAuthorizations,
  runDueProcessorWork,
  expireSandboxCardAuthorizations,
  type ProcessorEventDelivery,
  type PaymentProcessorWebhookListener,
} from './deliver-events.ts'
import { closePaymentProcessorDispute, simulateCardDispute } from './disputes.ts'
import * as intents from './intents.ts'
import { runOneAtATime } from './run-one-at-a-time.ts'
import * as people from './customers.ts'
import type { CardExpiry } from './store.customers.ts'
import {
  runPaymentProcessorCommand,
  runIdempotentPaymentProcessorCommand,
  runPaymentProcessorQuery,
  sortMetadata,
  type EmbeddedPaymentProcessorDependencies,
} from './processor-tx.ts'
import { createSandboxCardHolders, type SandboxCardholderActions } from './sandbox-disputes.ts'
import { duePaymentProcessorRows, updateAllPaymentProcessorEventSchedules } from './store.events.ts'

export type { CardAuthenticationChallenge } from './intents.ts'

/** A payment processor that stores its state in this database and moves no real money. */
export interface EmbeddedPaymentProcessor extends PaymentProcessor {
  readonly env: 'embedded'
  /**
   * Sets the listener that receives events; until then they are queued. A `prompt` listener receives them right after
   * every change, without a call to `deliverEvents`.
   */
  listen(listener: PaymentProcessorWebhookListener, how?: 'prompt' | 'when-asked'): void
  /** The processor for a sandbox organization, whose events are delivered only by `deliverEvents`. */
  forSandbox(sandbox: string): SandboxPaymentProcessor
  /** Stops delivering events; resolves when no delivery is running. */
  close(): Promise<void>
  /** Sends every event again, as any processor may do. Returns the number of delivered events. */
  repeatEvents(): Promise<number>
  /** The data for the page of a 3-D Secure challenge; null if the secret is unknown. */
  findChallenge(secret: string): Promise<intents.CardAuthenticationChallenge | null>
  /** The response of the card holder to a challenge; only the first one counts. */
  settleChallenge(
    secret: string,
    holderResponse: 'complete' | 'fail',
  ): Promise<intents.CardAuthenticationChallenge | null>
  /** Updates the expiry of a card as a bank does when it renews it; for tests, like the next. */
  renewCard(method: string, end: CardExpiry): Promise<void>
  /** A card holder disputes a charge; for tests. */
  openDispute(intent: string, amount_cents: number): Promise<{ readonly id: string }>
  closeDispute(dispute: string, outcome: 'won' | 'lost'): Promise<void>
}

/** The embedded processor for one sandbox organization. */
export interface SandboxPaymentProcessor extends PaymentProcessor, SandboxCardholderActions {
  dueRows(): readonly DueRowsQuery[]
  /** The same as `deliverEvents`; an event of which `isLost` returns true is sent again later. */
  deliverEventsExcept(isLost: () => Promise<boolean>): Promise<number>
  /** Ends the open authorizations of cards now. */
  endAuthorizations(): Promise<void>
}

export interface EmbeddedPaymentProcessorOptions {
  readonly database: Database
  readonly clock: Clock & OrganizationClocks
  /** The key that webhooks are signed with. */
  readonly key: Uint8Array
  /** Called if prompt delivery fails; the events stay due. */
  readonly onError?: (error: unknown) => void
}

/** Opens the embedded processor on a migrated database. */
export function openEmbeddedPaymentProcessor({
  database,
  clock,
  key,
  onError = () => {},
}: EmbeddedPaymentProcessorOptions): EmbeddedPaymentProcessor {
  let listener: PaymentProcessorWebhookListener | null = null
  let isPrompt = false
  const onChanged = (): void => {
    if (isPrompt) void deliverEvents().catch(onError)
  }
  const dependencies: EmbeddedPaymentProcessorDependencies = { database, clock, onChanged }
  let isClosed = false
  const deliverEvents = runOneAtATime(async () => {
    if (isClosed) return 0
    await runDueProcessorWork(dependencies)
    return listener
      ? deliverDuePaymentProcessorEvents(dependencies, {
          key,
          sandbox: null,
          listener,
          shouldContinue: () => !isClosed,
        })
      : 0
  })
  const processor: EmbeddedPaymentProcessor = {
    env: 'embedded',
    ...serveCustomers(dependencies),
    ...serveIntents(dependencies),
    ...serveCardHolders(dependencies),
    invoices: async () => [],
    readEvent: async (body, signature) => {
      verifyWebhookSignature(key, body, signature, clock.now())
      return parsePaymentProcessorEvent(body)
    },
    deliverEvents,
    listen: (input, how = 'when-asked') => {
      listener = input
      isPrompt = how === 'prompt'
    },
    close: async () => {
      isClosed = true
      isPrompt = false
      await deliverEvents()
    },
    repeatEvents: async () => {
      await updateAllPaymentProcessorEventSchedules(database.unscoped, clock.now())
      return deliverEvents()
    },
    forSandbox: (sandbox) =>
      createSandboxProcessor(dependencies, processor, {
        key,
        sandbox,
        listener: (body, signature) => (listener ?? rejectEvent)(body, signature),
        shouldContinue: () => !isClosed,
      }),
  }
  return processor
}

const rejectEvent: PaymentProcessorWebhookListener = async () => {
  throw new Error('nobody listens to the events of the embedded processor')
}

function createSandboxProcessor(
  dependencies: EmbeddedPaymentProcessorDependencies,
  processor: EmbeddedPaymentProcessor,
  delivery: ProcessorEventDelivery & { readonly sandbox: string },
): SandboxPaymentProcessor {
  const deliverEventsExcept: SandboxPaymentProcessor['deliverEventsExcept'] = async (isLost) => {
    await expireSandboxCardAuthorizations(dependencies, delivery.sandbox)
    const listener: PaymentProcessorWebhookListener = async (body, signature) => {
      if (await isLost()) throw new Error('a scenario of the sandbox loses the notification')
      await delivery.listener(body, signature)
    }
    return deliverDuePaymentProcessorEvents(dependencies, { ...delivery, listener })
  }
  return {
    ...processor,
    ...createSandboxCardHolders(dependencies, delivery.sandbox),
    deliverEvents: () => deliverEventsExcept(async () => false),
    deliverEventsExcept,
    dueRows: () => duePaymentProcessorRows(delivery.sandbox),
    endAuthorizations: () => endSandboxPaymentAuthorizations(dependencies, delivery.sandbox),
  }
}

function serveCustomers(dependencies: EmbeddedPaymentProcessorDependencies) {
  return {
    createCustomer: (request, key) => {
      const { organization_id, name, email } = request
      const idempotencyInput = ['createCustomer', organization_id, name, email]
      return runIdempotentPaymentProcessorCommand(dependencies, key, idempotencyInput, (processorTx) =>
        people.createPaymentProcessorCustomer(processorTx, request),
      )
    },
    createSetupIntent: (customer, key) =>
      runIdempotentPaymentProcessorCommand(dependencies, key, ['createSetupIntent', customer], (processorTx) =>
        people.createSetupIntent(processorTx, customer),
      ),
    attach: (customer, method) =>
      runPaymentProcessorCommand(dependencies, (processorTx) => people.attachTestCard(processorTx, customer, method)),
    findCard: (method) =>
      runPaymentProcessorQuery(dependencies, (processorTx) => people.findPaymentCard(processorTx, method)),
    setDefault: (customer, method) =>
      runPaymentProcessorCommand(dependencies, (processorTx) => people.setDefaultCard(processorTx, customer, method)),
    detach: (method) =>
      runPaymentProcessorCommand(dependencies, (processorTx) => people.detachCard(processorTx, method)),
  } satisfies Partial<PaymentProcessor>
}

function serveIntents(dependencies: EmbeddedPaymentProcessorDependencies) {
  return {
    charge: async (request, key) => {
      const recorded = await runIdempotentPaymentProcessorCommand(
        dependencies,
        key,
        chargeIdempotencyInput(request),
        (processorTx) => intents.chargeCard(processorTx, request),
      )
      return throwIfDeclined(intents.parsePaymentIntentJson(recorded))
    },
    find: (intent) =>
      runPaymentProcessorQuery(dependencies, async (processorTx) =>
        intents.rowToPaymentIntent(await intents.lockAndReadEmbeddedPaymentIntent(processorTx, intent)),
      ),
    capture: async (intent, cents, key) =>
      intents.parsePaymentIntentJson(
        await runIdempotentPaymentProcessorCommand(dependencies, key, ['capture', intent, cents], (processorTx) =>
          intents.captureEmbeddedPaymentIntent(processorTx, intent, cents),
        ),
      ),
    cancel: async (intent, key) =>
      intents.parsePaymentIntentJson(
        await runIdempotentPaymentProcessorCommand(dependencies, key, ['cancel', intent], (processorTx) =>
          intents.cancelEmbeddedPaymentIntent(processorTx, intent),
        ),
      ),
    refund: (request, key) => {
      const idempotencyInput = ['refund', request.intent, request.amount_cents, sortMetadata(request.metadata)]
      return runIdempotentPaymentProcessorCommand(dependencies, key, idempotencyInput, (processorTx) =>
        intents.refundEmbeddedPaymentIntent(processorTx, request),
      )
    },
  } satisfies Partial<PaymentProcessor>
}

const chargeIdempotencyInput = (request: ChargeRequest): readonly unknown[] => [
  'charge',
  request.customer,
  request.payment_method,
  request.amount_cents,
  request.capture,
  sortMetadata(request.metadata),
]

/** A declined charge is stored as an intent and reported as a failure. */
function throwIfDeclined(intent: PaymentIntent): PaymentIntent {
  if (intent.status !== 'requires_payment_method') return intent
  const details = { code: intent.decline_code, intent: intent.id }
  throw new PaymentsFailure('declined', 'The card was declined by its bank.', details)
}

function serveCardHolders(dependencies: EmbeddedPaymentProcessorDependencies) {
  return {
    findChallenge: (secret) =>
      runPaymentProcessorQuery(dependencies, (processorTx) => intents.findCardChallenge(processorTx, secret)),
    settleChallenge: (secret, input) =>
      runPaymentProcessorCommand(dependencies, (processorTx) =>
        intents.settleCardChallenge(processorTx, secret, input),
      ),
    renewCard: (method, end) =>
      runPaymentProcessorCommand(dependencies, (processorTx) => people.issueRenewedCard(processorTx, method, end)),
    openDispute: (intent, cents) =>
      runPaymentProcessorCommand(dependencies, (processorTx) => simulateCardDispute(processorTx, intent, cents)),
    closeDispute: (dispute, outcome) =>
      runPaymentProcessorCommand(dependencies, (processorTx) =>
        closePaymentProcessorDispute(processorTx, dispute, outcome),
      ),
  } satisfies Partial<EmbeddedPaymentProcessor>
}
