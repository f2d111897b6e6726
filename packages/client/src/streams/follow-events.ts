import { createParser } from 'eventsource-parser'
import type { Client, EventStreamOptions } from '../client.ts'
import { CallTimeoutError, ConnectionError } from '../errors/connection-errors.ts'
import { ApiProblem, readProblem, type ProblemConstructor } from '../problem.ts'
import { sleep } from '../sleep.ts'
import { decodeChunks } from './split-lines.ts'

/** The platform sends a comment every 15 seconds: a connection that is silent for longer is lost. */
const max_silence_ms = 45_000
const default_reconnect_ms = 2000
const max_reconnect_ms = 30_000

interface StreamPosition {
  last_event_id: string | null
  reconnect_ms: number
}

/** The input of `events.stream`, as far as it is read here. */
type StreamInput = Readonly<Record<string, unknown>>

/**
 * Streams the events of the organization until the signal ends it, or after `max_seconds` if the input has it. A connection that
 * ends or breaks is opened again after the last event, with growing waits if that fails, so that no event is missed or comes twice.
 *
 * @param client Opens the streams; it repeats reads.
 */
export async function* followEvents<Event>(
  client: Client,
  input: StreamInput,
  options: EventStreamOptions,
  chooseProblem: (problem: string) => ProblemConstructor,
): AsyncGenerator<Event> {
  const { signal } = options
  const position: StreamPosition = {
    last_event_id: (input['last_event_id'] as string | null | undefined) ?? (await findLastEventId(client, options)),
    reconnect_ms: default_reconnect_ms,
  }
  for (let failures = 0; ;) {
    try {
      for await (const event of readStream(client, { input, options, position, chooseProblem })) {
        failures = 0
        yield event as Event
      }
      if (input['max_seconds'] !== undefined) return
      failures = 0
    } catch (error) {
      if (signal?.aborted) throw signal.reason
      if (!isTemporary(error)) throw error
      failures++
    }
    const { reconnect_ms } = position
    await sleep(Math.random() * Math.min(max_reconnect_ms, reconnect_ms * 2 ** failures), signal)
  }
}

/** Where a stream begins: without an id, what happens while it is opened again would be missed. */
async function findLastEventId(client: Client, { signal }: EventStreamOptions): Promise<string | null> {
  const { events } = await client.call('events.list', { limit: 1 }, { isRead: true, ...(signal ? { signal } : {}) })
  return events[0]?.event_id ?? null
}

/** A lost connection, an outage or a rate limit; what else the platform answers it would answer again. */
const isTemporary = (error: unknown): boolean =>
  error instanceof ApiProblem
    ? error.status >= 500 || error.status === 429
    : error instanceof ConnectionError || error instanceof CallTimeoutError || error instanceof LostStream

/** The connection of a stream broke, or was silent for too long. */
class LostStream extends Error {}

interface OpenStream {
  readonly input: StreamInput
  readonly options: EventStreamOptions
  readonly position: StreamPosition
  readonly chooseProblem: (problem: string) => ProblemConstructor
}

/** One connection of a stream; moves the position. */
async function* readStream(
  client: Client,
  { input, options: { signal, onOpen }, position, chooseProblem }: OpenStream,
): AsyncGenerator<unknown> {
  const silence = new AbortController()
  const limit = signal ? AbortSignal.any([signal, silence.signal]) : silence.signal
  const { last_event_id } = position
  const response = await client.fetch(
    '/v1/op/events.stream',
    {
      method: 'POST',
      body: JSON.stringify(input),
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream',
        ...(last_event_id === null ? {} : { 'last-event-id': last_event_id }),
      },
      signal: limit,
    },
    { operation: 'events.stream', isRead: true, signal: limit },
  )
  if (!response.ok) throw await readProblem(response, chooseProblem)
  onOpen?.()
  let events: { readonly id: string | undefined; readonly data: string }[] = []
  const parser = createParser({
    onEvent: ({ id, data }) => events.push({ id, data }),
    onRetry: (reconnect_ms) => {
      position.reconnect_ms = reconnect_ms
    },
  })
  for await (const text of withSilenceLimit(decodeChunks(response), silence)) {
    parser.feed(text)
    const arrived = events
    events = []
    for (const { id, data } of arrived) {
      yield JSON.parse(data)
      // Only now the caller has it.
      if (id !== undefined) position.last_event_id = id
    }
  }
}

/** The chunks; throws `LostStream` if the connection breaks, or after a silence, which it ends. */
async function* withSilenceLimit(chunks: AsyncIterable<string>, silence: AbortController): AsyncGenerator<string> {
  let timer = setTimeout(() => silence.abort(), max_silence_ms)
  try {
    for await (const chunk of chunks) {
      clearTimeout(timer)
      yield chunk
      timer = setTimeout(() => silence.abort(), max_silence_ms)
    }
  } catch (error) {
    throw new LostStream('The connection of the event stream was lost.', { cause: error })
  } finally {
    clearTimeout(timer)
  }
}
