import type { OrganizationClock, OrganizationClocks } from '../../clock.ts'
import type { Database, DbConnection } from '../../database/database.ts'
import type { Integrations } from '../integrations.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { EmbeddedPaymentProcessor, SandboxPaymentProcessor } from '../payments/embedded/embedded.ts'
import { type PaymentProcessor, PaymentsFailure } from '../payments/payments.ts'
import {
  type SandboxHostOrder,
  type SandboxScenarioRow,
  claimSandboxScenario,
  updateSandboxWrongChecksumsLeft,
  findSandboxHostOrder,
  insertSandboxHostOrder,
  dueSandboxScenarioRows,
} from './store.scenarios.ts'
import { type HostOrderDelivery, HostRefusal, type ImageryHost } from '../imagery-host.ts'

/** The sandbox organization that orders from a host. */
interface SandboxCustomer {
  readonly db: DbConnection
  readonly clock: OrganizationClock
}

/** A host whose orders cost money takes no order from a sandbox. */
function refuseMoney({ orders_for_money, tasking }: ImageryHost): Pick<ImageryHost, 'tasking'> {
  if (!orders_for_money || !tasking) return tasking ? { tasking } : {}
  const refuse = async (): Promise<never> => {
    throw new HostRefusal('A sandbox organization cannot order from a real provider.')
  }
  return {
    tasking: {
      ...tasking,
      get products() {
        return tasking.products
      },
      placeTask: refuse,
      ...(tasking.requestStudy ? { requestStudy: refuse } : {}),
    },
  }
}

const numberOf = (scenario: SandboxScenarioRow | null, name: string): number => {
  const value = scenario?.parameters[name]
  return typeof value === 'number' ? value : 0
}

const reasonOf = ({ parameters }: SandboxScenarioRow): string => {
  const { reason } = parameters
  return typeof reason === 'string' ? reason : 'The host refuses the order, as the scenario says.'
}

/**
 * A host as one sandbox organization sees it: it follows the scenarios of the organization, oldest first, and otherwise
 * behaves as for all organizations. A host that orders from a provider for money refuses.
 */
function createSandboxHost(host: ImageryHost, { db, clock }: SandboxCustomer): ImageryHost {
  const { organization } = clock
  const consume = (kind: string): Promise<SandboxScenarioRow | null> =>
    claimSandboxScenario(db, organization, [kind], host.name)

  /** Decides how an order will be delivered, when it is placed. */
  const planDelivery = async (): Promise<SandboxHostOrder> => {
    const delay = await consume('host.delay')
    const partial = await consume('host.partial_delivery')
    const refusal = await consume('host.refuse_delivery')
    const wrong = await consume('host.wrong_checksum')
    return {
      ready_at: delay && new Date(clock.now().getTime() + numberOf(delay, 'seconds') * 1000),
      missing_scenes: numberOf(partial, 'missing_scenes'),
      refusal: refusal && reasonOf(refusal),
      wrong_checksums: numberOf(wrong, 'deliveries'),
    }
  }

  return {
    ...host,
    ...refuseMoney(host),
    get collections() {
      return host.collections
    },
    place: async (order, signal) => {
      if (await consume('host.fail')) throw new Error('The host does not respond, as the scenario says.')
      const refusal = await consume('host.refuse_order')
      if (refusal) throw new HostRefusal(reasonOf(refusal))
      if (host.orders_for_money) throw new HostRefusal('A sandbox organization cannot order from a real provider.')
      const { reference } = await host.place(order, signal)
      const key = { organization, host: host.name, reference }
      if (!(await findSandboxHostOrder(db, key))) await insertSandboxHostOrder(db, key, await planDelivery())
      if (await consume('host.lose_response'))
        throw new Error('The response of the host was lost, as the scenario says.')
      return { reference }
    },
    deliveries: async (reference, signal) => {
      const key = { organization, host: host.name, reference }
      const order = await findSandboxHostOrder(db, key)
      if (order?.refusal) return { state: 'refused', reason: order.refusal }
      if (order?.ready_at && order.ready_at > clock.now()) return { state: 'waiting', ready_at: order.ready_at }
      const delivery = await host.deliveries(reference, signal)
      if (!order || delivery.state !== 'ready') return delivery
      if (order.wrong_checksums > 0) await updateSandboxWrongChecksumsLeft(db, key)
      return alterDelivery(delivery, order)
    },
  }
}

const wrongSha256 = '0'.repeat(64)

function alterDelivery(delivery: HostOrderDelivery & { state: 'ready' }, order: SandboxHostOrder): HostOrderDelivery {
  const scenes = [...new Set(delivery.files.map(({ scene }) => scene))]
  const delivered = new Set(scenes.slice(0, Math.max(scenes.length - order.missing_scenes, 0)))
  const files = delivery.files
    .filter(({ scene }) => delivered.has(scene))
    .map((file) =>
      order.wrong_checksums === 0
        ? file
        : {
            ...file,
            sha256: wrongSha256,
            download: (path: string, signal: AbortSignal) => file.download(path, signal),
          },
    )
  return { state: 'ready', files }
}

export interface SandboxIntegrationsDependencies {
  readonly integrations: Omit<Integrations, 'payments' | 'forSandbox'>
  readonly embedded: EmbeddedPaymentProcessor
  readonly database: Database
  readonly clock: OrganizationClocks
  /** The mailer of sandbox organizations. */
  readonly mail: Mailer
}

/**
 * The integrations with those of sandbox organizations: the embedded payment processor, whichever one is configured, and
 * hosts that follow scenarios.
 */
export function withSandboxIntegrations(
  { integrations, embedded, database, clock, mail }: SandboxIntegrationsDependencies,
  payments: PaymentProcessor,
): Integrations {
  return {
    ...integrations,
    payments,
    forSandbox: (organization) => {
      const customer = { db: database.forOrganization(organization), clock: clock.forOrganization(organization) }
      return {
        fetch: integrations.fetch,
        checkUrl: integrations.checkUrl,
        isInternalUrl: integrations.isInternalUrl,
        textRecords: integrations.textRecords,
        openid: integrations.openid,
        mail,
        hosts: new Map([...integrations.hosts].map(([name, host]) => [name, createSandboxHost(host, customer)])),
        payments: createSandboxPayments(embedded, customer),
      }
    },
  }
}

/** The scenarios of banks that happen without a request, with their actions. */
const bankScenarios: Readonly<
  Record<string, (processor: SandboxPaymentProcessor, parameters: SandboxScenarioRow['parameters']) => Promise<void>>
> = {
  'payment.end_authorisations': (processor) => processor.endAuthorizations(),
  'payment.refund_charge': (processor) => processor.refundNewestCharge(),
  'payment.open_dispute': (processor) => processor.disputeNewestCharge(),
  'payment.close_disputes': (processor, { outcome }) => processor.closeDisputes(outcome === 'won' ? 'won' : 'lost'),
}

function createSandboxPayments(embedded: EmbeddedPaymentProcessor, { db, clock }: SandboxCustomer): PaymentProcessor {
  const { organization } = clock
  const processor = embedded.forSandbox(organization)
  const consume = (...kinds: readonly string[]): Promise<SandboxScenarioRow | null> =>
    claimSandboxScenario(db, organization, kinds, null)
  return {
    ...processor,
    charge: async (request, key) => {
      if (await consume('payment.decline'))
        throw new PaymentsFailure('declined', 'The card was declined by its bank, as the scenario says.', {
          code: 'card_declined',
        })
      return processor.charge(request, key)
    },
    refund: async (request, key) => {
      if (await consume('payment.reject_refund'))
        throw new PaymentsFailure('invalid', 'The charge cannot be refunded, as the scenario says.')
      return processor.refund(request, key)
    },
    dueRows: () => [...processor.dueRows(), dueSandboxScenarioRows(organization, Object.keys(bankScenarios))],
    deliverEvents: async () => {
      // Each kind at most once in a delivery, so that `times` spreads over several.
      let kinds = Object.keys(bankScenarios)
      for (let scenario = await consume(...kinds); scenario; scenario = await consume(...kinds)) {
        const { kind, parameters } = scenario
        kinds = kinds.filter((other) => other !== kind)
        await bankScenarios[kind]!(processor, parameters)
      }
      return processor.deliverEventsExcept(async () => (await consume('payment.lose_notification')) !== null)
    },
  }
}
