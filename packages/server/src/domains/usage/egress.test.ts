import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Call } from '../../engine/call.ts'
import { Problem } from '../../engine/problem.ts'
import { newId } from '../../platform/ids.ts'
import { openHoldings } from '../../../test/holdings.ts'
import { openEgressMeter } from './egress-meter.ts'
import { egressByDay, egressOfLinks, journalAhead, requireBandwidth, takeDownloads } from './egress.ts'

let house: Awaited<ReturnType<typeof openHoldings>>
before(async () => {
  house = await openHoldings()
})
after(() => house?.close())

const day_ms = 86_400_000
const with_ = (call: Call, quotas: Partial<Call['quotas']>): Call => ({
  ...call,
  quotas: { ...call.quotas, ...quotas },
})
const take = (call: Call, ...assets: string[]) => call.transaction((tx) => takeDownloads(tx, call, assets))

const refused = (problem: string, retry_after_s: number) => (error: unknown) => {
  assert.ok(error instanceof Problem, String(error))
  assert.deepEqual([error.problem, error.extra['retry_after_s']], [problem, retry_after_s])
  return true
}

test('an asset can be downloaded up to its daily limit, also by concurrent requests, and again the next day', async () => {
  const { owner } = await house.organize()
  const call = with_(owner, { downloads_per_day: 3 })
  const asset = newId()
  const tries = await Promise.allSettled(Array.from({ length: 8 }, () => take(call, asset)))
  assert.equal(tries.filter(({ status }) => status === 'fulfilled').length, 3)
  await assert.rejects(take(call, asset), refused('download-cap', 86_400))
  const other = newId()
  await assert.rejects(
    take(call, other, asset),
    refused('download-cap', 86_400),
    'the downloads of an archive are counted all or none',
  )
  for (let count = 0; count < 3; count++) await take(call, other, other)
  await take(with_(owner, { downloads_per_day: 0 }), asset)
  house.clock.advance(day_ms)
  await take(call, asset)
})

test('bytes are summed by day, subject and share link, also while earlier ones are being written', async () => {
  const { owner, organization } = await house.organize()
  const { database, clock } = house
  const meter = openEgressMeter({ database, clock, log: { warn: () => {} } as never })
  const asset = { type: 'asset', id: newId(), link: null } as const
  const linked = { ...asset, link: newId() }
  for (let round = 0; round < 50; round++) {
    meter.note(organization, asset, 10, false)
    meter.note(organization, linked, 1, round % 2 === 0)
    if (round % 10 === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  meter.note(organization, asset, 0, true)
  meter.note(organization, asset, 0, false)
  await meter.flush()
  const first = clock.now().toISOString().slice(0, 10)
  clock.advance(day_ms)
  meter.note(organization, { type: 'order', id: newId(), link: null }, 5, true)
  await meter.flush()
  const second = clock.now().toISOString().slice(0, 10)
  assert.deepEqual(await egressByDay(owner.db, organization, first, second), [
    { day: first, bytes: 550, transfers: 26 },
    { day: second, bytes: 5, transfers: 1 },
  ])
  assert.deepEqual([...(await egressOfLinks(owner.db, organization, [linked.link, newId()]))], [[linked.link, 50]])
  const other = await house.organize()
  assert.deepEqual(await egressByDay(other.owner.db, other.organization, first, second), [])
})

test('bytes that could not be written are written with the next ones', async () => {
  const { owner, organization } = await house.organize()
  const { clock } = house
  let broken = true
  const database = {
    ...house.database,
    of: (id: string) => {
      if (broken) throw new Error('the database is unavailable')
      return house.database.of(id)
    },
  }
  const warned: unknown[] = []
  const meter = openEgressMeter({ database, clock, log: { warn: (fact: unknown) => warned.push(fact) } as never })
  const subject = { type: 'item', id: newId(), link: null } as const
  meter.note(organization, subject, 7, true)
  await meter.flush()
  assert.equal(warned.length > 0, true)
  broken = false
  meter.note(organization, subject, 3, true)
  await meter.flush()
  const day = clock.now().toISOString().slice(0, 10)
  assert.deepEqual(await egressByDay(owner.db, organization, day, day), [{ day, bytes: 10, transfers: 2 }])
})

test('an organization at its daily egress quota is refused until the next day', async () => {
  const { owner } = await house.organize()
  const call = with_(owner, { egress_bytes_per_day: 1000 })
  const subject = { type: 'asset', id: newId(), link: null } as const
  await call.transaction((tx) => journalAhead(tx, call, subject, 999))
  await requireBandwidth(call.db, call)
  await call.transaction((tx) => journalAhead(tx, call, subject, 1))
  house.clock.advance(3_600_000)
  await assert.rejects(requireBandwidth(call.db, call), refused('bandwidth-breaker', 82_800))
  await requireBandwidth(call.db, with_(owner, { egress_bytes_per_day: 0 }))
  house.clock.advance(day_ms)
  await requireBandwidth(call.db, call)
})
