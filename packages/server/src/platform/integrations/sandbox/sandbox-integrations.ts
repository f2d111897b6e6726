import type { OrganizationClocks } from '../../clock.ts'
import type { Database } from '../../database/database.ts'
import type { Integrations } from '../integrations.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { EmbeddedProcessor, SandboxProcessor } from '../payments/embedded/embedded.ts'
import { PaymentsFailure, type PaymentProcessor } from '../payments/payments.ts'
import { createSandboxHost, type SandboxCustomer } from './sandbox-host.ts'
import { claimScenario, openScenarioRows, type ScenarioRow } from './store.scenarios.ts'

export interface SandboxIntegrationsDependencies {
  readonly integrations: Omit<Integrations, 'payments' | 'forSandbox'>
  readonly embedded: EmbeddedProcessor
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
        mail,
        hosts: new Map([...integrations.hosts].map(([name, host]) => [name, createSandboxHost(host, customer)])),
        payments: createSandboxPayments(embedded, customer),
      }
    },
  }
}

/** The scenarios of banks that happen without a request, with their actions. */
const bankScenarios: Readonly<
  Record<string, (processor: SandboxProcessor, parameters: ScenarioRow['parameters']) => Promise<void>>
> = {
  'payment.end_authorisations': (processor) => processor.endAuthorizations(),
  'payment.refund_charge': (processor) => processor.refundNewestCharge(),
  'payment.open_dispute': (processor) => processor.disputeNewestCharge(),
  'payment.close_disputes': (processor, { outcome }) => processor.closeDisputes(outcome === 'won' ? 'won' : 'lost'),
}

function createSandboxPayments(embedded: EmbeddedProcessor, { db, clock }: SandboxCustomer): PaymentProcessor {
  const { organization } = clock
  const processor = embedded.forSandbox(organization)
  const consume = (...kinds: readonly string[]): Promise<ScenarioRow | null> =>
    claimScenario(db, organization, kinds, null)
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
    dueRows: () => [...processor.dueRows(), openScenarioRows(organization, Object.keys(bankScenarios))],
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
