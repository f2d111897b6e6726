import { setPriority } from 'node:os'
import { withTurn, createKeepAliveAgent, send, type HttpCall } from './sender.ts'

/** The task of a probe: requests to repeat in turn, and the pause after each response. */
export interface ProbeTask {
  readonly url: string
  readonly requests: readonly HttpCall[]
  readonly interval_ms: number
  readonly callers: number
}

/** One measured request. */
export interface ProbeSample {
  readonly request: number
  readonly outcome: string
  readonly took_ms: number
}

export type ProbeMessage = { readonly task: ProbeTask } | { readonly ask: 'samples' }

/** Raises the priority, if permitted, so that the observed processes do not delay the probe. */
function raisePriority(): void {
  try {
    setPriority(-10)
  } catch {
    // Needs root.
  }
}

let samples: ProbeSample[] = []
/** Pending requests with their start: a long wait counts before it ends. */
const waiting = new Map<object, { request: number; sent_ms: number }>()

async function probe({ url, requests, interval_ms, callers }: ProbeTask): Promise<void> {
  raisePriority()
  const agent = createKeepAliveAgent(callers)
  let index = 0
  const caller = async (): Promise<void> => {
    for (;;) {
      const turn = index++
      const request = turn % requests.length
      const template = requests[request]!
      const pendingRequest = { request, sent_ms: performance.now() }
      waiting.set(pendingRequest, pendingRequest)
      const { outcome, took_ms } = await send(url, withTurn(template, turn), agent)
      waiting.delete(pendingRequest)
      samples.push({ request, outcome, took_ms })
      await new Promise((resolve) => setTimeout(resolve, interval_ms))
    }
  }
  await Promise.all(Array.from({ length: callers }, caller))
}

/** The samples since the last call, including pending requests; a pending request is reported again when it ends. */
function takeSamples(): ProbeSample[] {
  const now = performance.now()
  const open = [...waiting.values()].map(({ request, sent_ms }) => ({
    request,
    outcome: 'waiting',
    took_ms: now - sent_ms,
  }))
  const all = [...samples, ...open]
  samples = []
  return all
}

process.on('message', (message: ProbeMessage) => {
  if ('task' in message) void probe(message.task)
  else process.send!(takeSamples())
})
process.on('disconnect', () => process.exit(0))
