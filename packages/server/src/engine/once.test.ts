import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { openTestDatabase } from '../../test/database.ts'
import type { Database } from '../platform/database/database.ts'
import { sql } from '../platform/database/sql.ts'
import { newId } from '../platform/ids.ts'
import { canonicalJson, once, refusedData, refusedPoint, type Claim, type OnceRequest } from './once.ts'
import { Problem } from './problem.ts'
import { deleteExpiredClaims, freeAbandonedClaims, type KeptAnswer } from './store.once.ts'

let database: Database
before(async () => {
  database = await openTestDatabase()
})
after(() => database?.close())

function requestOf(given: Partial<OnceRequest> = {}): OnceRequest {
  const organization = given.organization ?? newId()
  const asked = { organization, operation: 'test.buy', key: 'k', principal: 'human:one', input: { a: 1 } }
  return { db: database.of(organization), ...asked, ...given }
}

/** Work that records the claim of each run. */
function working(body = '{"id":1}') {
  const claims: Claim[] = []
  const work = async (claim: Claim): Promise<KeptAnswer> => {
    claims.push(claim)
    return { status: 202, body }
  }
  return { claims, work }
}

const claimOf = async (request: OnceRequest) =>
  (
    await database.across.query<{ recovery_point: string; locked_at: Date | null }>(sql`
      select recovery_point, locked_at from idempotency_claims
      where organization_id = ${request.organization} and key = ${request.key}`)
  )[0]

const problem = (name: string) => (error: unknown) => error instanceof Problem && error.problem === name

test('canonicalJson returns the same text for equal values, whatever their key order and number format', () => {
  assert.equal(canonicalJson({ b: [1, { d: 1, c: 2 }], a: null }), '{"a":null,"b":[1,{"c":2,"d":1}]}')
  assert.equal(canonicalJson({ a: undefined, b: 1 }), canonicalJson({ b: 1 }))
  assert.equal(canonicalJson(JSON.parse('{"a":1.0,"b":1e2,"c":-0}')), '{"a":1,"b":100,"c":0}')
  assert.notEqual(canonicalJson({ a: [1, 2] }), canonicalJson({ a: [2, 1] }))
  assert.notEqual(canonicalJson({ a: '1' }), canonicalJson({ a: 1 }))
  assert.equal(canonicalJson(undefined), 'null')
})

test('runs the work once; a repetition gets the stored response byte for byte', async () => {
  const request = requestOf()
  const { claims, work } = working('{ "odd" :  "spacing" }')
  assert.deepEqual(await once(request, work), { status: 202, body: '{ "odd" :  "spacing" }', replayed: false })
  const again = { ...request, input: JSON.parse('{"a":1.0}') as unknown }
  assert.deepEqual(await once(again, work), { status: 202, body: '{ "odd" :  "spacing" }', replayed: true })
  assert.equal(claims.length, 1)
})

test('another body is a conflict; another operation or organization runs independently', async () => {
  const request = requestOf()
  const { claims, work } = working()
  await once(request, work)
  await assert.rejects(once({ ...request, input: { a: 2 } }, work), problem('idempotency-conflict'))
  assert.equal((await once({ ...request, operation: 'test.sell' }, work)).replayed, false)
  assert.equal((await once(requestOf({ key: request.key }), work)).replayed, false)
  assert.equal(claims.length, 3)
})

test('concurrent calls with the same key run the work once and get the same response', async () => {
  const request = requestOf()
  let runs = 0
  const slow = async (): Promise<KeptAnswer> => {
    runs++
    await new Promise((resolve) => setTimeout(resolve, 200))
    return { status: 200, body: String(runs) }
  }
  const answers = await Promise.all(Array.from({ length: 10 }, () => once(request, slow)))
  assert.equal(runs, 1)
  assert.deepEqual([...new Set(answers.map(({ body }) => body))], ['1'])
  assert.equal(answers.filter(({ replayed }) => replayed).length, 9)
})

test('a duplicate of a running call is idempotency-in-flight with retry_after_s', async () => {
  const request = requestOf()
  const begun = Promise.withResolvers<void>()
  const finish = Promise.withResolvers<void>()
  const first = once(request, async () => {
    begun.resolve()
    await finish.promise
    return { status: 200, body: '1' }
  })
  await begun.promise
  await assert.rejects(once(request, working().work), (error: Problem) => {
    assert.equal(error.problem, 'idempotency-in-flight')
    const rest_s = Number(error.extra['retry_after_s'])
    // The first call renews its lease of 15 s every 5 s; the duplicate has waited 2 s for it.
    assert.ok(rest_s >= 9 && rest_s <= 15, String(rest_s))
    return true
  })
  await assert.rejects(once({ ...request, input: 'other' }, working().work), problem('idempotency-conflict'))
  finish.resolve()
  assert.equal((await first).replayed, false)
  assert.equal((await once(request, working().work)).replayed, true)
})

test('an error before any effect releases the key, also for another body', async () => {
  const request = requestOf()
  const refuse = async (): Promise<KeptAnswer> => {
    throw new Problem('insufficient-credits', 'No.')
  }
  await assert.rejects(once(request, refuse), problem('insufficient-credits'))
  assert.equal(await claimOf(request), undefined)
  assert.equal((await once({ ...request, input: 'other' }, working().work)).replayed, false)
})

test('a failure after a durable effect keeps the recovery point; the next attempt resumes there', async () => {
  const request = requestOf()
  await assert.rejects(
    once(request, async (claim) => {
      assert.equal(claim.point, 'claimed')
      await request.db.transaction((tx) => claim.reach(tx, 'reserved', { order_id: 'x' }))
      assert.equal(claim.point, 'reserved')
      throw new Error('the power went')
    }),
  )
  assert.deepEqual(await claimOf(request), { recovery_point: 'reserved', locked_at: null })
  await assert.rejects(once({ ...request, input: 'other' }, working().work), problem('idempotency-conflict'))
  const { claims, work } = working()
  assert.equal((await once(request, work)).replayed, false)
  assert.deepEqual([claims[0]!.point, claims[0]!.data], ['reserved', { order_id: 'x' }])
  assert.equal((await once(request, work)).replayed, true)
})

const refusedAt = (request: OnceRequest, point: string | null) => async (claim: Claim) => {
  if (point !== null) await request.db.transaction((tx) => claim.reach(tx, point, { order_id: 'x' }))
  throw new Problem('invalid-state', 'No.')
}

const cutOffAt = (request: OnceRequest, point: string) => async (claim: Claim) => {
  await request.db.transaction((tx) => claim.reach(tx, point, {}))
  throw new Error('the power went')
}

const asAnswer = (): KeptAnswer => ({ status: 409, body: '{"no":1}', media_type: 'application/problem+json' })

test('stores an error after a durable effect as the response; an earlier or transient one is not stored', async () => {
  const request = requestOf()
  const kept = { status: 409, body: '{"no":1}', media_type: 'application/problem+json' }
  assert.deepEqual(await once(request, refusedAt(request, 'reserved'), asAnswer), { ...kept, replayed: false })
  assert.deepEqual(await once(request, working().work), { ...kept, replayed: true })
  for (const point of [null, 'claimed', 'payment_pending']) {
    const early = requestOf()
    await assert.rejects(once(early, refusedAt(early, point), asAnswer), problem('invalid-state'))
    assert.equal((await once(early, working().work)).replayed, false)
  }
  const passing = requestOf()
  await assert.rejects(
    once(passing, refusedAt(passing, 'reserved'), () => null),
    problem('invalid-state'),
  )
  assert.deepEqual(await claimOf(passing), { recovery_point: 'reserved', locked_at: null })
})

test('an error that reverted its effects is reported once, also after a crash, and then the key is free', async () => {
  const request = requestOf()
  const no = new Problem('payment-declined', 'The card was declined.', { decline_code: 'x' })
  const refuse = async (claim: Claim): Promise<KeptAnswer> => {
    await request.db.transaction((tx) => claim.reach(tx, refusedPoint, refusedData(no)))
    throw no
  }
  await assert.rejects(once(request, refuse, asAnswer), problem('payment-declined'))
  assert.equal(await claimOf(request), undefined)
  await database.across.query(sql`
    insert into idempotency_claims
      (organization_id, operation, key, body_hash, holder, locked_at, recovery_point, recovery_data)
    values (${request.organization}, ${request.operation}, ${request.key}, ${createHash('sha256').update('{"a":1}').digest('hex')},
            ${newId()}, null, ${refusedPoint}, ${sql.json(refusedData(no))})`)
  const { claims, work } = working()
  await assert.rejects(once(request, work), (error: Problem) => {
    assert.deepEqual([error.problem, error.message, error.extra], [no.problem, no.message, no.extra])
    return true
  })
  assert.equal(claims.length, 0)
  assert.equal((await once(request, work)).replayed, false)
})

test('an error of a resumed attempt that records no recovery point is not stored', async () => {
  const request = requestOf()
  await assert.rejects(once(request, cutOffAt(request, 'reserved'), () => null))
  await assert.rejects(once(request, refusedAt(request, null), asAnswer), problem('invalid-state'))
  assert.equal((await once(request, working('mine').work)).body, 'mine')
})

test('an error of a resumed attempt that records its recovery point again is stored', async () => {
  const request = requestOf()
  await assert.rejects(once(request, cutOffAt(request, 'charge_failed'), () => null))
  const kept = asAnswer()
  assert.deepEqual(await once(request, refusedAt(request, 'charge_failed'), asAnswer), { ...kept, replayed: false })
  assert.deepEqual(await once(request, working().work), { ...kept, replayed: true })
})

test('an error after a transaction that rolled back counts as one before any effect', async () => {
  const request = requestOf()
  const refused = once(
    request,
    async (claim) => {
      await request.db.transaction(async (tx) => {
        await claim.reach(tx, 'reserved', {})
        throw new Problem('insufficient-credits', 'No.')
      })
      return { status: 200, body: '' }
    },
    asAnswer,
  )
  await assert.rejects(refused, problem('insufficient-credits'))
  assert.equal(await claimOf(request), undefined)
})

test('a recovery point of a transaction that rolls back is not recorded', async () => {
  const request = requestOf()
  const broken = once(request, async (claim) => {
    await request.db.transaction(async (tx) => {
      await claim.reach(tx, 'reserved', {})
      throw new Error('no')
    })
    return { status: 200, body: '' }
  })
  await assert.rejects(broken, /no/)
  assert.equal(await claimOf(request), undefined)
})

test('a claim whose lease expired is taken over; the former holder cannot write to it', async () => {
  const request = requestOf()
  let wake = (): void => {}
  const dead = once(request, async (claim) => {
    await new Promise<void>((resolve) => (wake = resolve))
    await request.db.transaction((tx) => claim.reach(tx, 'reserved', { by: 'the dead' }))
    return { status: 200, body: 'late' }
  })
  // Its process has not renewed the claim for longer than the lease.
  await new Promise((resolve) => setTimeout(resolve, 100))
  await database.across.query(sql`
    update idempotency_claims set locked_at = statement_timestamp() - interval '16 seconds'
    where organization_id = ${request.organization}`)
  assert.deepEqual(await once(request, working('mine').work), { status: 202, body: 'mine', replayed: false })
  wake()
  await assert.rejects(dead, /taken over/)
  assert.equal((await once(request, working().work)).body, 'mine')
})

test('an expired claim without an effect is free for another body, one with an effect is not', async () => {
  for (const [point, free] of [
    ['claimed', true],
    [refusedPoint, true],
    ['payment_pending', false],
    ['reserved', false],
  ] as const) {
    const request = requestOf()
    const left = (locked: string) =>
      database.across.query(sql`
      insert into idempotency_claims as c (organization_id, operation, key, body_hash, holder, recovery_point, locked_at)
      values (${request.organization}, ${request.operation}, ${request.key}, 'another body', ${newId()}, ${point},
              statement_timestamp() - ${locked}::interval)
      on conflict (organization_id, operation, key) do update set locked_at = excluded.locked_at`)
    await left('1 second')
    await assert.rejects(once(request, working().work), problem('idempotency-conflict'))
    await left('16 seconds')
    if (free) assert.equal((await once(request, working().work)).replayed, false)
    else await assert.rejects(once(request, working().work), problem('idempotency-conflict'))
  }
})

test('another principal is a conflict and gets no stored response, unless the first call had no effect', async () => {
  const request = requestOf()
  const key = { ...request, principal: 'api_key:one' }
  await once(request, working('mine').work)
  await assert.rejects(once(key, working().work), problem('idempotency-conflict'))
  assert.equal((await once(request, working().work)).body, 'mine')

  const stopped = requestOf()
  await assert.rejects(once(stopped, cutOffAt(stopped, 'reserved'), () => null))
  await assert.rejects(once({ ...stopped, principal: 'human:two' }, working().work), problem('idempotency-conflict'))
  assert.equal((await once(stopped, working('gone on').work)).body, 'gone on')

  const dead = requestOf()
  await leave(dead, 'human:one')
  assert.equal((await once({ ...dead, principal: 'human:two' }, working().work)).replayed, false)
})

test('a claim without a principal (older schema) can be resumed, but its stored response is not replayed', async () => {
  const request = requestOf()
  await leave(request, null, 'reserved')
  assert.equal((await once(request, working('mine').work)).body, 'mine')
  await assert.rejects(once({ ...request, principal: 'human:two' }, working().work), problem('idempotency-conflict'))
  assert.equal((await once(request, working().work)).body, 'mine')

  const answered = requestOf()
  await leave(answered, null, 'finished', { status: 202, body: 'old' })
  await assert.rejects(once(answered, working().work), problem('idempotency-conflict'))
})

/** Inserts a claim of the same body that nobody holds. */
const leave = (request: OnceRequest, principal: string | null, point = 'claimed', response: KeptAnswer | null = null) =>
  database.across.query(sql`
    insert into idempotency_claims
      (organization_id, operation, key, principal, body_hash, holder, locked_at, recovery_point, response)
    values (${request.organization}, ${request.operation}, ${request.key}, ${principal},
            ${createHash('sha256').update('{"a":1}').digest('hex')}, ${newId()}, null, ${point},
            ${response === null ? null : sql.json(response)})`)

test('a key is free again after 24 hours by the clock of the database, not before', async () => {
  const request = requestOf()
  const age = (text: string) =>
    database.across.query(sql`
      update idempotency_claims set created_at = statement_timestamp() - ${text}::interval
      where organization_id = ${request.organization}`)
  await once(request, working().work)
  await age('23 hours 59 minutes')
  assert.equal((await once(request, working().work)).replayed, true)
  await age('24 hours 1 second')
  assert.equal((await once({ ...request, input: 'other' }, working().work)).replayed, false)
  await age('25 hours')
  assert.ok((await deleteExpiredClaims(database.across)) >= 1)
  assert.equal(await claimOf(request), undefined)
})

test('unlockAbandonedClaims unlocks every unfinished claim', async () => {
  const request = requestOf()
  await database.across.query(sql`
    insert into idempotency_claims (organization_id, operation, key, body_hash, holder)
    values (${request.organization}, ${request.operation}, ${request.key}, 'x', ${newId()})`)
  await freeAbandonedClaims(database.across)
  assert.equal((await claimOf(request))?.locked_at, null)
})
