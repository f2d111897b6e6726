import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { minute_ms } from '@swath/geo/time-units.ts'
import { openTestDatabase } from '../../../test/database.ts'
import { createManualClock } from '../clock.ts'
import type { Database } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import { newId } from '../ids.ts'
import { createRateLimiter } from './limiter.ts'
import type { RateLimit, RateLimiter, RateLimitUnit } from './rate-limit.ts'

const start = new Date('2026-03-01T00:00:00.000Z')
const limitOf = (max: number, name = 'test'): RateLimit => ({ name, max, window_ms: minute_ms })

let database: Database
before(async () => {
  database = await openTestDatabase()
})
after(() => database?.close())

/** Several processes on one database, with one clock. */
function createProcesses(count: number) {
  const clock = createManualClock(start)
  let statements = 0
  const db = {
    ...database.unscoped,
    query: (statement: never) => {
      statements += 1
      return database.unscoped.query(statement)
    },
  } as Database['unscoped']
  const limiters = Array.from({ length: count }, () => createRateLimiter({ db, clock }))
  const close = async (): Promise<void> => {
    for (const limiter of limiters) await limiter.close()
  }
  return { clock, limiters, close, statements: () => statements }
}

const isTaken = async (limiter: RateLimiter, limit: RateLimit, subject: string): Promise<boolean> =>
  !(await limiter.take(limit, subject)).refused

async function countTaken(limiters: readonly RateLimiter[], limit: RateLimit, subject: string, tries: number) {
  const all = Array.from({ length: tries }, (_, at) => isTaken(limiters[at % limiters.length]!, limit, subject))
  return (await Promise.all(all)).filter(Boolean).length
}

for (const max of [1, 5, 60, 600]) {
  test(`two processes together allow exactly ${max} calls`, async () => {
    const { limiters, close } = createProcesses(2)
    const subject = newId()
    assert.equal(await countTaken(limiters, limitOf(max), subject, 2 * max + 10), max)
    // Also sequentially, when each holds leased units that the other does not see.
    const other = newId()
    let sum = 0
    for (let call = 0; call < 2 * max + 10; call++) {
      sum += (await isTaken(limiters[call % 2]!, limitOf(max), other)) ? 1 : 0
    }
    assert.equal(sum, max)
    await close()
  })
}

test('a unit counts for one minute and at most three seconds more, in every window', async () => {
  const { clock, limiters, close } = createProcesses(2)
  const [first, second] = limiters as [RateLimiter, RateLimiter]
  const limit = limitOf(10)
  const subject = newId()
  const times: number[] = []
  // Ten every second, for three minutes.
  for (let second_ = 0; second_ < 180; second_++) {
    for (const limiter of [first, second]) {
      for (let call = 0; call < 5; call++) if (await isTaken(limiter, limit, subject)) times.push(second_)
    }
    clock.advance(1000)
  }
  for (const time of times) {
    const within = times.filter((other) => other >= time && other < time + 60).length
    assert.ok(within <= 10, `${within} in the minute from second ${time}`)
  }
  assert.deepEqual(
    [...new Set(times)].map((time) => times.filter((other) => other === time).length),
    [10, 10, 10],
  )
  assert.ok(new Set(times).has(63))
  await close()
})

test('a refusal reports the time after which a call is allowed again', async () => {
  const { clock, limiters, close } = createProcesses(1)
  const [limiter] = limiters as [RateLimiter]
  const subject = newId()
  const limit = limitOf(2)
  clock.advance(4000)
  await isTaken(limiter, limit, subject)
  clock.advance(20_000)
  await isTaken(limiter, limit, subject)
  const refusal = await limiter.take(limit, subject)
  assert.deepEqual([refusal.refused, refusal.remaining], [true, 0])
  clock.advance((refusal.reset_s - 1) * 1000)
  assert.equal(await isTaken(limiter, limit, subject), false)
  clock.advance(1000)
  assert.equal(await isTaken(limiter, limit, subject), true)
  assert.equal(await isTaken(limiter, limit, subject), false)
  await close()
})

test('many calls need few statements, and refused calls need none until the slot ends', async () => {
  const { clock, limiters, close, statements } = createProcesses(1)
  const [limiter] = limiters as [RateLimiter]
  const subject = newId()
  const limit = limitOf(6000)
  const remaining: number[] = []
  for (let call = 0; call < 3000; call++) {
    remaining.push((await limiter.take(limit, subject)).remaining)
    if (call % 1000 === 999) clock.advance(3000)
  }
  assert.ok(statements() < 40, `${statements()} statements`)
  assert.deepEqual([remaining[0], remaining[1], remaining.at(-1)], [5999, 5998, 3000])
  const small = limitOf(1, 'small')
  await limiter.take(small, subject)
  await limiter.take(small, subject)
  const statementsBefore = statements()
  for (let call = 0; call < 1000; call++) await limiter.take(small, subject)
  assert.equal(statements(), statementsBefore)
  await close()
})

test('a released unit is available to every process, also after its lease ended', async () => {
  const { clock, limiters, close } = createProcesses(2)
  const [first, second] = limiters as [RateLimiter, RateLimiter]
  const limit = limitOf(2)
  const subject = newId()
  const units: RateLimitUnit[] = [await first.take(limit, subject), await first.take(limit, subject)]
  assert.equal(await isTaken(second, limit, subject), false)
  units[0]!.release()
  units[0]!.release()
  assert.equal(await isTaken(first, limit, subject), true)
  clock.advance(3000)
  units[1]!.release()
  await first.flush()
  assert.equal(await isTaken(second, limit, subject), true)
  assert.equal(await isTaken(second, limit, subject), false)
  await close()
})

test('any number of other subjects does not evict a count', async () => {
  const { limiters, close } = createProcesses(1)
  const [limiter] = limiters as [RateLimiter]
  const limit = limitOf(1)
  const subject = 'a subject that is not a plain word\0'
  assert.equal(await isTaken(limiter, limit, subject), true)
  for (let wave = 0; wave < 20; wave++) await countTaken([limiter], limit, `other ${wave}`, 20)
  assert.equal(await isTaken(limiter, limit, subject), false)
  await close()
})

test('a limit of 0 allows everything, and expired counts are deleted', async () => {
  const { clock, limiters, close } = createProcesses(1)
  const [limiter] = limiters as [RateLimiter]
  assert.equal(await countTaken([limiter], limitOf(0), 'x', 100), 100)
  const { before } = await limiter.count(limitOf(3), 'subject')
  assert.equal(before, 0)
  const secondCount = await limiter.count(limitOf(3), 'subject')
  assert.equal(secondCount.before, 1)
  secondCount.release()
  await limiter.flush()
  assert.equal((await limiter.count(limitOf(3), 'subject')).before, 1)
  const rows = () => database.unscoped.query(sql`select bucket from rate_limit_counts where bucket = 'test subject'`)
  clock.advance(60_000)
  await limiter.sweep()
  assert.equal((await rows()).length, 1)
  clock.advance(4000)
  await limiter.sweep()
  assert.equal((await rows()).length, 0)
  await close()
})

test('counts use the database clock', async () => {
  const limiter = createRateLimiter({ db: database.unscoped })
  const subject = newId()
  assert.equal(await countTaken([limiter], limitOf(3), subject, 5), 3)
  await limiter.close()
})
