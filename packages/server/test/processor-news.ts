import { receiveEvent } from '../src/domains/billing/processor/processor-events.ts'
import type { ProcessorEvent } from '../src/platform/outside/payments/payments.ts'
import type { Holdings } from './holdings.ts'
import type { Bench } from './work.ts'

/** What the processor has to tell, for a test that hands it on when, how often and in which order it likes. */
export interface ProcessorNews {
  /** Everything since the last time, in the processor's order. */
  collect(): Promise<ProcessorEvent[]>
  /** Hands events on, and does the work that they make. */
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
