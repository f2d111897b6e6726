import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createVectorService } from './vector-worker.ts'

const vectors = createVectorService()
after(() => vectors.close())

const empty = (): Uint8Array => new TextEncoder().encode('{"type":"FeatureCollection","features":[\n]}\n')

test('jobs are queued fairly by organization, and an aborted job leaves the queue', async () => {
  let deliverBytes = (): void => {}
  const bytesDelivered = new Promise<void>((resolve) => (deliverBytes = resolve))
  const completed: string[] = []
  const runSelect = (organization: string, signal = new AbortController().signal): Promise<unknown> =>
    vectors
      .forOwner({ organization })
      .run({
        job: 'select',
        place: { id: `of ${organization}`, size: empty().length, path: null },
        request: { bbox: null, properties: {}, limit: 1, offset: 0 },
        fetchBytes: async () => {
          await bytesDelivered
          return empty()
        },
        signal,
      })
      .then(() => completed.push(organization))
  const many = Array.from({ length: 10 }, () => runSelect('many'))
  const caller = new AbortController()
  const last = runSelect('many', caller.signal)
  caller.abort(new Error('gone'))
  await assert.rejects(last, /gone/)
  const one = runSelect('one')
  deliverBytes()
  await Promise.all([...many, one])
  assert.equal(completed.indexOf('one'), 1)
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
  const request = { areas, max_vertices: 100 }
  const [measured, ...rejected] = await vectors
    .forOwner({ organization: 'one' })
    .measureAreas(request, new AbortController().signal)
  assert.ok(measured && 'km2' in measured && Math.abs(measured.km2 - 12_309) < 1)
  assert.deepEqual(
    rejected.map((result) => 'fault' in result),
    [true, true],
  )
})
