import { setPriority } from 'node:os'
import { atTurn, keptConnections, send, type Sending } from './sender.ts'

/** The task of a probe: requests to repeat in turn, and the pause after each response. */
export interface ProbeTask {
  readonly url: string
  readonly requests: readonly Sending[]
  readonly rest_ms: number
  readonly callers: number
}

/** One measured request. */
export interface ProbeSample {
  readonly request: number
  readonly outcome: string
  readonly took_ms: number
}

export type ProbeWord = { readonly task: ProbeTask } | { readonly ask: 'samples' }

/** Raises the priority, if permitted, so that the observed processes do not delay the probe. */
function hurry(): void {
  try {
    setPriority(-10)
  } catch {
    // Needs root.
  }
}

let samples: ProbeSample[] = []
/** Pending requests with their start: a long wait counts before it ends. */
const waiting = new Map<object, { request: number; sent_ms: number }>()

async function probe({ url, requests, rest_ms, callers }: ProbeTask): Promise<void> {
  hurry()
  const agent = keptConnections(callers)
  let index = 0
  const caller = async (): Promise<void> => {
    for (;;) {
      const turn = index++
      const request = turn % requests.length
      const wanted = requests[request]!
      const place = { request, sent_ms: performance.now() }
      waiting.set(place, place)
      const { outcome, took_ms } = await send(url, atTurn(wanted, turn), agent)
      waiting.delete(place)
      samples.push({ request, outcome, took_ms })
      await new Promise((resolve) => setTimeout(resolve, rest_ms))
    }
  }
  await Promise.all(Array.from({ length: callers }, caller))
}

/** The samples since the last call, including pending requests; a pending request is reported again when it ends. */
function taken(): ProbeSample[] {
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

process.on('message', (word: ProbeWord) => {
  if ('task' in word) void probe(word.task)
  else process.send!(taken())
})
process.on('disconnect', () => process.exit(0))
