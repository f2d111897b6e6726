import type { OrganizationClocks } from '../../clock.ts'
import type { Database } from '../../database/database.ts'
import type { Integrations } from '../integrations.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { EmbeddedProcessor } from '../payments/embedded/embedded.ts'
import { PaymentsFailure, type PaymentProcessor } from '../payments/payments.ts'
import { createSandboxHost, type SandboxCustomer } from './sandbox-host.ts'
import { consumeScenario } from './store.scenarios.ts'

export interface SandboxIntegrationsDependencies {
  readonly integrations: Omit<Integrations, 'payments' | 'forSandbox'>
  readonly embedded: EmbeddedProcessor
  readonly database: Database
  readonly clock: OrganizationClocks
  /** For the e-mails of sandbox organizations. */
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
        mail,
        hosts: new Map([...integrations.hosts].map(([name, host]) => [name, createSandboxHost(host, customer)])),
        payments: createSandboxPayments(embedded, customer),
      }
    },
  }
}

function createSandboxPayments(embedded: EmbeddedProcessor, { db, clock }: SandboxCustomer): PaymentProcessor {
  const { organization } = clock
  const processor = embedded.forSandbox(organization)
  const consume = async (kind: string): Promise<boolean> =>
    (await consumeScenario(db, organization, kind, null)) !== null
  return {
    ...processor,
    charge: async (request, key) => {
      if (await consume('payment.decline'))
        throw new PaymentsFailure('declined', 'The card was declined by its bank, as the scenario says.', {
          code: 'card_declined',
        })
      return processor.charge(request, key)
    },
    deliverEvents: async () => {
      if (await consume('payment.end_authorisations')) await processor.endAuthorizations()
      return processor.deliverEventsExcept(() => consume('payment.lose_notification'))
    },
  }
}
