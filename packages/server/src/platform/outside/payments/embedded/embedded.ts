import type { Clock, OrganizationClocks } from '../../../clock.ts'
import type { Database } from '../../../database/database.ts'
import { parseEvent } from '../parse-event.ts'
import { PaymentsFailure, type ChargeTerms, type Intent, type Payments } from '../payments.ts'
import { verifyWebhook } from '../webhook-signature.ts'
import { deliverDue, keepTime, type Listener } from './deliver.ts'
import { closeDispute, openDispute } from './disputes.ts'
import * as intents from './intents.ts'
import { oneAtATime } from './one-at-a-time.ts'
import * as people from './people.ts'
import type { CardEnd } from './store.people.ts'
import { answer, answerOnce, look, sorted, type Premises } from './request.ts'
import { planAllAgain } from './store.events.ts'

export type { Challenge } from './intents.ts'

/** A payment processor that stores its state in this database and moves no real money. */
export interface EmbeddedProcessor extends Payments {
  readonly env: 'embedded'
  /**
   * Sets the listener that receives events; until then they are kept. A `prompt` listener receives them right after every
   * change, without a call to `deliverEvents`.
   */
  listen(listener: Listener, how?: 'prompt' | 'when-asked'): void
  /** Stops delivering events; resolves when no delivery is running. */
  close(): Promise<void>
  /** Sends every event again, as any processor may do. Returns the number of delivered events. */
  repeatEvents(): Promise<number>
  /** The data for the page of a 3-D Secure challenge; null if the secret is unknown. */
  findChallenge(secret: string): Promise<intents.Challenge | null>
  /** The response of the card holder to a challenge; only the first one counts. */
  settleChallenge(secret: string, answer: 'complete' | 'fail'): Promise<intents.Challenge | null>
  /** Updates the expiry of a card as a bank does when it renews it; for tests, like the next. */
  renewCard(method: string, end: CardEnd): Promise<void>
  /** A card holder disputes a charge; for tests. */
  openDispute(intent: string, amount_cents: number): Promise<{ readonly id: string }>
  closeDispute(dispute: string, outcome: 'won' | 'lost'): Promise<void>
}

export interface EmbeddedOptions {
  readonly database: Database
  readonly clock: Clock & OrganizationClocks
  /** The key that webhooks are signed with. */
  readonly key: Uint8Array
  /** Called if prompt delivery fails; the events stay due. */
  readonly onFault?: (error: unknown) => void
}

/** Opens the embedded processor on a migrated database. */
export function openEmbedded({ database, clock, key, onFault = () => {} }: EmbeddedOptions): EmbeddedProcessor {
  let listener: Listener | null = null
  let prompt = false
  const changed = (): void => {
    if (prompt) void deliverEvents().catch(onFault)
  }
  const premises: Premises = { database, clock, changed }
  let closed = false
  const deliverEvents = oneAtATime(async () => {
    if (closed) return 0
    await keepTime(premises)
    return listener ? deliverDue(premises, key, listener, () => !closed) : 0
  })
  return {
    env: 'embedded',
    ...servePeople(premises),
    ...serveIntents(premises),
    ...serveHolders(premises),
    invoices: async () => [],
    readEvent: async (body, signature) => {
      verifyWebhook(key, body, signature, clock.now())
      return parseEvent(body)
    },
    deliverEvents,
    listen: (given, how = 'when-asked') => {
      listener = given
      prompt = how === 'prompt'
    },
    close: async () => {
      closed = true
      prompt = false
      await deliverEvents()
    },
    repeatEvents: async () => {
      await planAllAgain(database.across, clock.now())
      return deliverEvents()
    },
  }
}

function servePeople(premises: Premises) {
  return {
    createCustomer: (terms, key) => {
      const { organization_id, name, email } = terms
      const named = ['createCustomer', organization_id, name, email]
      return answerOnce(premises, key, named, (desk) => people.openCustomer(desk, terms))
    },
    createSetupIntent: (customer, key) =>
      answerOnce(premises, key, ['createSetupIntent', customer], (desk) => people.openSetupIntent(desk, customer)),
    attach: (customer, method) => answer(premises, (desk) => people.attachCard(desk, customer, method)),
    findCard: (method) => look(premises, (desk) => people.findCard(desk, method)),
    setDefault: (customer, method) => answer(premises, (desk) => people.chooseDefault(desk, customer, method)),
    detach: (method) => answer(premises, (desk) => people.detachCard(desk, method)),
  } satisfies Partial<Payments>
}

function serveIntents(premises: Premises) {
  return {
    charge: async (terms, key) => {
      const told = await answerOnce(premises, key, chargeTerms(terms), (desk) => intents.chargeCard(desk, terms))
      return accepted(intents.retold(told))
    },
    find: (intent) => look(premises, async (desk) => intents.intentOf(await intents.openIntent(desk, intent))),
    capture: async (intent, cents, key) =>
      intents.retold(
        await answerOnce(premises, key, ['capture', intent, cents], (desk) =>
          intents.captureIntent(desk, intent, cents),
        ),
      ),
    cancel: async (intent, key) =>
      intents.retold(await answerOnce(premises, key, ['cancel', intent], (desk) => intents.cancelIntent(desk, intent))),
    refund: (terms, key) => {
      const named = ['refund', terms.intent, terms.amount_cents, sorted(terms.metadata)]
      return answerOnce(premises, key, named, (desk) => intents.refundIntent(desk, terms))
    },
  } satisfies Partial<Payments>
}

const chargeTerms = (terms: ChargeTerms): readonly unknown[] => [
  'charge',
  terms.customer,
  terms.payment_method,
  terms.amount_cents,
  terms.capture,
  sorted(terms.metadata),
]

/** A declined charge is stored as an intent and reported as a failure. */
function accepted(intent: Intent): Intent {
  if (intent.status !== 'requires_payment_method') return intent
  const facts = { code: intent.decline_code, intent: intent.id }
  throw new PaymentsFailure('declined', 'The card was declined by its bank.', facts)
}

function serveHolders(premises: Premises) {
  return {
    findChallenge: (secret) => look(premises, (desk) => intents.findChallenge(desk, secret)),
    settleChallenge: (secret, given) => answer(premises, (desk) => intents.settleChallenge(desk, secret, given)),
    renewCard: (method, end) => answer(premises, (desk) => people.renewCard(desk, method, end)),
    openDispute: (intent, cents) => answer(premises, (desk) => openDispute(desk, intent, cents)),
    closeDispute: (dispute, outcome) => answer(premises, (desk) => closeDispute(desk, dispute, outcome)),
  } satisfies Partial<EmbeddedProcessor>
}
