import { receiveEvent } from '../src/domains/billing/processor/processor-events.ts'
import type { ProcessorEvent } from '../src/platform/outside/payments/payments.ts'
import type { Holdings } from './holdings.ts'
import type { Bench } from './work.ts'

/** Events of the payment processor, for a test that decides when, how often and in which order they are delivered. */
export interface ProcessorNews {
  /** Collects the events since the last call, in the order of the processor. */
  collect(): Promise<ProcessorEvent[]>
  /** Delivers events and runs the tasks that they enqueue. */
  tell(events: readonly ProcessorEvent[]): Promise<void>
}

export function openNews({ database, clock, payments }: Holdings, { queue, run }: Bench): ProcessorNews {
  let heard: ProcessorEvent[] = []
  payments.listen(async (body, signature) => {
    heard.push(await payments.readEvent(body, signature))
  })
  return {
    collect: async () => {
      heard = []
      await payments.deliverEvents()
      return [...heard]
    },
    tell: async (events) => {
      for (const event of events) await receiveEvent({ database, queue, clock }, event)
      await run()
    },
  }
}
