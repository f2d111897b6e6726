import { receivePaymentProcessorEvent } from '../src/domains/card-payments/processor/processor-events.ts'
import type { PaymentProcessorEvent } from '../src/platform/integrations/payments/payments.ts'
import type { TestServices } from './test-services.ts'
import type { TaskRunner } from './task-runner.ts'

/** Events of the payment processor, for a test that decides when, how often and in which order they are delivered. */
export interface WebhookFixture {
  /** Collects the events since the last call, in the order of the processor. */
  collectEvents(): Promise<PaymentProcessorEvent[]>
  /** Delivers events and runs the tasks that they enqueue. */
  deliverEvents(events: readonly PaymentProcessorEvent[]): Promise<void>
}

export function createWebhookFixture(
  { database, clock, payments }: TestServices,
  { queue, runPending }: TaskRunner,
): WebhookFixture {
  let receivedEvents: PaymentProcessorEvent[] = []
  payments.listen(async (body, signature) => {
    receivedEvents.push(await payments.readEvent(body, signature))
  })
  return {
    collectEvents: async () => {
      receivedEvents = []
      await payments.deliverEvents()
      return [...receivedEvents]
    },
    deliverEvents: async (events) => {
      for (const event of events) await receivePaymentProcessorEvent({ database, queue, clock }, event)
      await runPending()
    },
  }
}
