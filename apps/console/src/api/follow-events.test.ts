import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Client } from '@swath/client/client.ts'
import { ApiProblem } from '@swath/client/problem.ts'
import { followEvents } from './follow-events.ts'

const event = (id: string) => ({ event_id: id, event_type: 'order.created', timestamp: '2026-07-01T10:00:00Z' })

/** A platform with the given streams, each of which ends or fails; after the last one the test ends. */
function createPlatform(streams: readonly (readonly unknown[] | Error)[], stop: AbortController) {
  const inputs: unknown[] = []
  let lists = 0
  const client = {
    call: async () => {
      lists++
      return { events: [event('listed')] }
    },
    events: async function* (_operation: string, input: unknown, { onOpen }: { onOpen: () => void }) {
      const stream = streams[inputs.length]
      inputs.push(input)
      if (inputs.length === streams.length) stop.abort()
      if (stream instanceof Error) throw stream
      onOpen()
      yield* stream ?? []
    },
  } as unknown as Client
  return { client, inputs, countLists: () => lists }
}

test('a stream that ends is continued after the last event that has arrived', async () => {
  const stop = new AbortController()
  const { client, inputs, countLists } = createPlatform([[event('first'), event('second')], [], []], stop)
  const told: (readonly [string, boolean])[] = []
  const answers: boolean[] = []
  await followEvents(
    client,
    { last_event_id: null },
    {
      onEvents: (events, isOpening) => told.push(...events.map(({ event_id }) => [event_id, isOpening] as const)),
      onAnswer: (isAnswering) => answers.push(isAnswering),
    },
    stop.signal,
  )
  assert.deepEqual(inputs, [
    { max_seconds: 15, last_event_id: 'listed' },
    { max_seconds: 15, last_event_id: 'second' },
    { max_seconds: 15, last_event_id: 'second' },
  ])
  assert.deepEqual(told, [['listed', true], ['first', false], ['second', false]]) // prettier-ignore
  assert.equal(countLists(), 1)
  assert.deepEqual(answers, [true, true, true])
})

test('a stream that cannot be opened tells that the platform does not answer', async () => {
  const stop = new AbortController()
  const { client } = createPlatform([[], new TypeError('network')], stop)
  const answers: boolean[] = []
  const listener = { onEvents: () => undefined, onAnswer: (isAnswering: boolean) => void answers.push(isAnswering) }
  await followEvents(client, { last_event_id: null }, listener, stop.signal)
  assert.deepEqual(answers, [true])
  const again = new AbortController()
  const refused = createPlatform([new ApiProblem(503, {}, null), []], again)
  const ends = setTimeout(() => again.abort(), 10)
  await followEvents(refused.client, { last_event_id: null }, listener, again.signal)
  clearTimeout(ends)
  assert.deepEqual(answers, [true, false])
})
