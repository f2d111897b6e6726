import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { day_ms } from '@swath/geo/time-units.ts'
import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import { newId } from '../../platform/ids.ts'
import { openTestServices } from '../../../test/test-services.ts'
import { createEgressMeter } from './egress-meter.ts'
import { recordEgressUpFront, requireEgressWithinQuota, recordDownloads } from './egress.ts'
import { listEgressByDay, sumEgressByShareLink } from './store.egress.ts'

let holdings: Awaited<ReturnType<typeof openTestServices>>
before(async () => {
  holdings = await openTestServices()
})
after(() => holdings?.close())

const withQuotas = (call: Call, quotas: Partial<Call['quotas']>): Call => ({
  ...call,
  quotas: { ...call.quotas, ...quotas },
})
const recordDownload = (call: Call, ...assets: string[]) => call.transaction((tx) => recordDownloads(tx, call, assets))

const isRejectedWith = (problem: string, retry_after_s: number) => (error: unknown) => {
  assert.ok(error instanceof Problem, String(error))
  assert.deepEqual([error.problem, error.extra['retry_after_s']], [problem, retry_after_s])
  return true
}

test('an asset can be downloaded up to its daily limit, also by concurrent requests, and again the next day', async () => {
  const { owner } = await holdings.createOrganization()
  const call = withQuotas(owner, { downloads_per_day: 3 })
  const asset = newId()
  const attempts = await Promise.allSettled(Array.from({ length: 8 }, () => recordDownload(call, asset)))
  assert.equal(attempts.filter(({ status }) => status === 'fulfilled').length, 3)
  await assert.rejects(recordDownload(call, asset), isRejectedWith('download-cap', 86_400))
  const other = newId()
  await assert.rejects(
    recordDownload(call, other, asset),
    isRejectedWith('download-cap', 86_400),
    'the downloads of an archive are counted all or none',
  )
  for (let count = 0; count < 3; count++) await recordDownload(call, other, other)
  await recordDownload(withQuotas(owner, { downloads_per_day: 0 }), asset)
  holdings.clock.advance(day_ms)
  await recordDownload(call, asset)
})

test('bytes are summed by day, subject and share link, also while earlier ones are being written', async () => {
  const { owner, organization } = await holdings.createOrganization()
  const { database, clock } = holdings
  const meter = createEgressMeter({ database, clock, log: { warn: () => {} } as never })
  const asset = { type: 'asset', id: newId(), link: null } as const
  const linked = { ...asset, link: newId() }
  for (let round = 0; round < 50; round++) {
    meter.record(organization, asset, 10, false)
    meter.record(organization, linked, 1, round % 2 === 0)
    if (round % 10 === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  meter.record(organization, asset, 0, true)
  meter.record(organization, asset, 0, false)
  await meter.flush()
  const first = clock.now().toISOString().slice(0, 10)
  clock.advance(day_ms)
  meter.record(organization, { type: 'order', id: newId(), link: null }, 5, true)
  await meter.flush()
  const second = clock.now().toISOString().slice(0, 10)
  assert.deepEqual(await listEgressByDay(owner.db, organization, first, second), [
    { day: first, bytes: 550, transfers: 26 },
    { day: second, bytes: 5, transfers: 1 },
  ])
  assert.deepEqual(
    [...(await sumEgressByShareLink(owner.db, organization, [linked.link, newId()]))],
    [[linked.link, 50]],
  )
  const other = await holdings.createOrganization()
  assert.deepEqual(await listEgressByDay(other.owner.db, other.organization, first, second), [])
})

test('bytes that could not be written are written with the next ones', async () => {
  const { owner, organization } = await holdings.createOrganization()
  const { clock } = holdings
  let broken = true
  const database = {
    ...holdings.database,
    forOrganization: (id: string) => {
      if (broken) throw new Error('the database is unavailable')
      return holdings.database.forOrganization(id)
    },
  }
  const warned: unknown[] = []
  const meter = createEgressMeter({ database, clock, log: { warn: (fact: unknown) => warned.push(fact) } as never })
  const subject = { type: 'item', id: newId(), link: null } as const
  meter.record(organization, subject, 7, true)
  await meter.flush()
  assert.equal(warned.length > 0, true)
  broken = false
  meter.record(organization, subject, 3, true)
  await meter.flush()
  const day = clock.now().toISOString().slice(0, 10)
  assert.deepEqual(await listEgressByDay(owner.db, organization, day, day), [{ day, bytes: 10, transfers: 2 }])
})

test('an organization at its daily egress quota is refused until the next day', async () => {
  const { owner } = await holdings.createOrganization()
  const call = withQuotas(owner, { egress_bytes_per_day: 1000 })
  const subject = { type: 'asset', id: newId(), link: null } as const
  await call.transaction((tx) => recordEgressUpFront(tx, call, subject, 999))
  await requireEgressWithinQuota(call.db, call)
  await call.transaction((tx) => recordEgressUpFront(tx, call, subject, 1))
  holdings.clock.advance(3_600_000)
  await assert.rejects(requireEgressWithinQuota(call.db, call), isRejectedWith('bandwidth-breaker', 82_800))
  await requireEgressWithinQuota(call.db, withQuotas(owner, { egress_bytes_per_day: 0 }))
  holdings.clock.advance(day_ms)
  await requireEgressWithinQuota(call.db, call)
})
