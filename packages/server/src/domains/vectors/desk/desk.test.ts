import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askDesk, askForAreas } from './desk.ts'

const empty = (): Uint8Array => new TextEncoder().encode('{"type":"FeatureCollection","features":[\n]}\n')

test('jobs are queued fairly by organization, and an aborted job leaves the queue', async () => {
  let arrive = (): void => {}
  const arrival = new Promise<void>((resolve) => (arrive = resolve))
  const done: string[] = []
  const ask = (organization: string, signal = new AbortController().signal): Promise<unknown> =>
    askDesk(
      { organization },
      {
        job: 'select',
        place: { id: `of ${organization}`, size: empty().length, path: null },
        request: { bbox: null, properties: {}, limit: 1, offset: 0 },
        fetchBytes: async () => {
          await arrival
          return empty()
        },
        signal,
      },
    ).then(() => done.push(organization))
  const many = Array.from({ length: 10 }, () => ask('many'))
  const caller = new AbortController()
  const last = ask('many', caller.signal)
  caller.abort(new Error('gone'))
  await assert.rejects(last, /gone/)
  const one = ask('one')
  arrive()
  await Promise.all([...many, one])
  assert.equal(done.indexOf('one'), 1)
})

test('areas are measured within their footprints in the worker, or rejected', async () => {
  const square = (side: number) => ({
    type: 'Polygon' as const,
    coordinates: [
      [
        [10, 0],
        [10 + side, 0],
        [10 + side, side],
        [10, side],
        [10, 0],
      ],
    ] as [number, number][][],
  })
  const crossed = {
    type: 'Polygon',
    coordinates: [
      [
        [10, 0],
        [11, 1],
        [11, 0],
        [10, 1],
        [10, 0],
      ],
    ],
  }
  const areas = [square(2), crossed, { type: 'Point' }].map((geometry) => ({ geometry, footprint: square(1) }))
  const request = { areas, most_vertices: 100 }
  const [whole, ...faults] = await askForAreas({ organization: 'one' }, request, new AbortController().signal)
  assert.ok(whole && 'km2' in whole && Math.abs(whole.km2 - 12_309) < 1)
  assert.deepEqual(
    faults.map((found) => 'fault' in found),
    [true, true],
  )
})
