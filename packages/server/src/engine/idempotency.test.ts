import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { moveTime } from '../../test/citus/statements.ts'
import { openTestDatabase } from '../../test/database.ts'
import type { Database } from '../platform/database/database.ts'
import { sql } from '../platform/database/sql.ts'
import { newId } from '../platform/ids.ts'
import {
  canonicalJson,
  runIdempotent,
  createRejectedCheckpointData,
  rejectedIdempotencyCheckpoint,
  type IdempotencyClaim,
  type IdempotentRequest,
} from './idempotency.ts'
import { Problem } from './problem.ts'
import {
  deleteExpiredIdempotencyClaims,
  releaseAbandonedIdempotencyClaims,
  type StoredIdempotentResponse,
} from './store.idempotency.ts'

let database: Database
before(async () => {
  database = await openTestDatabase()
})
after(() => database?.close())

function createRequest(overrides: Partial<IdempotentRequest> = {}): IdempotentRequest {
  const organization = overrides.organization ?? newId()
  const defaults = { organization, operation: 'test.buy', key: 'k', principal: 'human:one', input: { a: 1 } }
  return { db: database.forOrganization(organization), ...defaults, ...overrides }
}

/** Work that records the claim of each run. */
function createWork(body = '{"id":1}') {
  const claims: IdempotencyClaim[] = []
  const work = async (claim: IdempotencyClaim): Promise<StoredIdempotentResponse> => {
    claims.push(claim)
    return { status: 202, body }
  }
  return { claims, work }
}

const readClaim = async (request: IdempotentRequest) =>
  (
    await database.unscoped.query<{ recovery_point: string; locked_at: Date | null }>(sql`
      select recovery_point, locked_at from idempotency_claims
      where organization_id = ${request.organization} and key = ${request.key}`)
  )[0]

const isProblem = (name: string) => (error: unknown) => error instanceof Problem && error.problem === name

test('canonicalJson returns the same text for equal values, whatever their key order and number format', () => {
  assert.equal(canonicalJson({ b: [1, { d: 1, c: 2 }], a: null }), '{"a":null,"b":[1,{"c":2,"d":1}]}')
  assert.equal(canonicalJson({ a: undefined, b: 1 }), canonicalJson({ b: 1 }))
  assert.equal(canonicalJson(JSON.parse('{"a":1.0,"b":1e2,"c":-0}')), '{"a":1,"b":100,"c":0}')
  assert.notEqual(canonicalJson({ a: [1, 2] }), canonicalJson({ a: [2, 1] }))
  assert.notEqual(canonicalJson({ a: '1' }), canonicalJson({ a: 1 }))
  assert.equal(canonicalJson(undefined), 'null')
})

test('runs the work once; a repetition gets the stored response byte for byte', async () => {
  const request = createRequest()
  const { claims, work } = createWork('{ "odd" :  "spacing" }')
  assert.deepEqual(await runIdempotent(request, work), { status: 202, body: '{ "odd" :  "spacing" }', replayed: false })
  const sameRequest = { ...request, input: JSON.parse('{"a":1.0}') as unknown }
  assert.deepEqual(await runIdempotent(sameRequest, work), {
    status: 202,
    body: '{ "odd" :  "spacing" }',
    replayed: true,
  })
  assert.equal(claims.length, 1)
})

test('another body is a conflict; another operation or organization runs independently', async () => {
  const request = createRequest()
  const { claims, work } = createWork()
  await runIdempotent(request, work)
  await assert.rejects(runIdempotent({ ...request, input: { a: 2 } }, work), isProblem('idempotency-conflict'))
  assert.equal((await runIdempotent({ ...request, operation: 'test.sell' }, work)).replayed, false)
  assert.equal((await runIdempotent(createRequest({ key: request.key }), work)).replayed, false)
  assert.equal(claims.length, 3)
})

test('concurrent calls with the same key run the work once and get the same response', async () => {
  const request = createRequest()
  let runs = 0
  const slowWork = async (): Promise<StoredIdempotentResponse> => {
    runs++
    await new Promise((resolve) => setTimeout(resolve, 200))
    return { status: 200, body: String(runs) }
  }
  const answers = await Promise.all(Array.from({ length: 10 }, () => runIdempotent(request, slowWork)))
  assert.equal(runs, 1)
  assert.deepEqual([...new Set(answers.map(({ body }) => body))], ['1'])
  assert.equal(answers.filter(({ replayed }) => replayed).length, 9)
})

test('a duplicate of a running call is idempotency-in-flight with retry_after_s', async () => {
  const request = createRequest()
  const started = Promise.withResolvers<void>()
  const finish = Promise.withResolvers<void>()
  const first = runIdempotent(request, async () => {
    started.resolve()
    await finish.promise
    return { status: 200, body: '1' }
  })
  await started.promise
  await assert.rejects(runIdempotent(request, createWork().work), (error: Problem) => {
    assert.equal(error.problem, 'idempotency-in-flight')
    const retry_after_s = Number(error.extra['retry_after_s'])
    // The first call renews its lease of 15 s every 5 s; the duplicate has waited 2 s for it.
    assert.ok(retry_after_s >= 9 && retry_after_s <= 15, String(retry_after_s))
    return true
  })
  await assert.rejects(
    runIdempotent({ ...request, input: 'other' }, createWork().work),
    isProblem('idempotency-conflict'),
  )
  finish.resolve()
  assert.equal((await first).replayed, false)
  assert.equal((await runIdempotent(request, createWork().work)).replayed, true)
})

test('an error before any effect releases the key, also for another body', async () => {
  const request = createRequest()
  const reject = async (): Promise<StoredIdempotentResponse> => {
    throw new Problem('insufficient-credits', 'No.')
  }
  await assert.rejects(runIdempotent(request, reject), isProblem('insufficient-credits'))
  assert.equal(await readClaim(request), undefined)
  assert.equal((await runIdempotent({ ...request, input: 'other' }, createWork().work)).replayed, false)
})

test('a failure after a durable effect keeps the recovery point; the next attempt resumes there', async () => {
  const request = createRequest()
  await assert.rejects(
    runIdempotent(request, async (claim) => {
      assert.equal(claim.recoveryPoint, 'claimed')
      await request.db.transaction((tx) => claim.checkpoint(tx, 'reserved', { order_id: 'x' }))
      assert.equal(claim.recoveryPoint, 'reserved')
      throw new Error('the power went')
    }),
  )
  assert.deepEqual(await readClaim(request), { recovery_point: 'reserved', locked_at: null })
  await assert.rejects(
    runIdempotent({ ...request, input: 'other' }, createWork().work),
    isProblem('idempotency-conflict'),
  )
  const { claims, work } = createWork()
  assert.equal((await runIdempotent(request, work)).replayed, false)
  assert.deepEqual([claims[0]!.recoveryPoint, claims[0]!.recoveryData], ['reserved', { order_id: 'x' }])
  assert.equal((await runIdempotent(request, work)).replayed, true)
})

const rejectAfter = (request: IdempotentRequest, point: string | null) => async (claim: IdempotencyClaim) => {
  if (point !== null) await request.db.transaction((tx) => claim.checkpoint(tx, point, { order_id: 'x' }))
  throw new Problem('invalid-state', 'No.')
}

const failAfter = (request: IdempotentRequest, point: string) => async (claim: IdempotencyClaim) => {
  await request.db.transaction((tx) => claim.checkpoint(tx, point, {}))
  throw new Error('the power went')
}

const toResponse = (): StoredIdempotentResponse => ({
  status: 409,
  body: '{"no":1}',
  media_type: 'application/problem+json',
})

test('stores an error after a durable effect as the response; an earlier or transient one is not stored', async () => {
  const request = createRequest()
  const stored = { status: 409, body: '{"no":1}', media_type: 'application/problem+json' }
  assert.deepEqual(await runIdempotent(request, rejectAfter(request, 'reserved'), toResponse), {
    ...stored,
    replayed: false,
  })
  assert.deepEqual(await runIdempotent(request, createWork().work), { ...stored, replayed: true })
  for (const point of [null, 'claimed', 'payment_pending']) {
    const earlyRequest = createRequest()
    await assert.rejects(
      runIdempotent(earlyRequest, rejectAfter(earlyRequest, point), toResponse),
      isProblem('invalid-state'),
    )
    assert.equal((await runIdempotent(earlyRequest, createWork().work)).replayed, false)
  }
  const transientRequest = createRequest()
  await assert.rejects(
    runIdempotent(transientRequest, rejectAfter(transientRequest, 'reserved'), () => null),
    isProblem('invalid-state'),
  )
  assert.deepEqual(await readClaim(transientRequest), { recovery_point: 'reserved', locked_at: null })
})

test('an error that reverted its effects is reported once, also after a crash, and then the key is free', async () => {
  const request = createRequest()
  const declined = new Problem('payment-declined', 'The card was declined.', { decline_code: 'x' })
  const reject = async (claim: IdempotencyClaim): Promise<StoredIdempotentResponse> => {
    await request.db.transaction((tx) =>
      claim.checkpoint(tx, rejectedIdempotencyCheckpoint, createRejectedCheckpointData(declined)),
    )
    throw declined
  }
  await assert.rejects(runIdempotent(request, reject, toResponse), isProblem('payment-declined'))
  assert.equal(await readClaim(request), undefined)
  await database.unscoped.query(sql`
    insert into idempotency_claims
      (organization_id, operation, key, body_hash, holder, locked_at, recovery_point, recovery_data)
    values (${request.organization}, ${request.operation}, ${request.key}, ${createHash('sha256').update('{"a":1}').digest('hex')},
            ${newId()}, null, ${rejectedIdempotencyCheckpoint}, ${sql.json(createRejectedCheckpointData(declined))})`)
  const { claims, work } = createWork()
  await assert.rejects(runIdempotent(request, work), (error: Problem) => {
    assert.deepEqual([error.problem, error.message, error.extra], [declined.problem, declined.message, declined.extra])
    return true
  })
  assert.equal(claims.length, 0)
  assert.equal((await runIdempotent(request, work)).replayed, false)
})

test('an error of a resumed attempt that records no recovery point is not stored', async () => {
  const request = createRequest()
  await assert.rejects(runIdempotent(request, failAfter(request, 'reserved'), () => null))
  await assert.rejects(runIdempotent(request, rejectAfter(request, null), toResponse), isProblem('invalid-state'))
  assert.equal((await runIdempotent(request, createWork('mine').work)).body, 'mine')
})

test('an error of a resumed attempt that records its recovery point again is stored', async () => {
  const request = createRequest()
  await assert.rejects(runIdempotent(request, failAfter(request, 'charge_failed'), () => null))
  const stored = toResponse()
  assert.deepEqual(await runIdempotent(request, rejectAfter(request, 'charge_failed'), toResponse), {
    ...stored,
    replayed: false,
  })
  assert.deepEqual(await runIdempotent(request, createWork().work), { ...stored, replayed: true })
})

test('an error after a transaction that rolled back counts as one before any effect', async () => {
  const request = createRequest()
  const refused = runIdempotent(
    request,
    async (claim) => {
      await request.db.transaction(async (tx) => {
        await claim.checkpoint(tx, 'reserved', {})
        throw new Problem('insufficient-credits', 'No.')
      })
      return { status: 200, body: '' }
    },
    toResponse,
  )
  await assert.rejects(refused, isProblem('insufficient-credits'))
  assert.equal(await readClaim(request), undefined)
})

test('a recovery point of a transaction that rolls back is not recorded', async () => {
  const request = createRequest()
  const broken = runIdempotent(request, async (claim) => {
    await request.db.transaction(async (tx) => {
      await claim.checkpoint(tx, 'reserved', {})
      throw new Error('no')
    })
    return { status: 200, body: '' }
  })
  await assert.rejects(broken, /no/)
  assert.equal(await readClaim(request), undefined)
})

test('a claim whose lease expired is taken over; the former holder cannot write to it', async () => {
  const request = createRequest()
  let resume = (): void => {}
  const deadRun = runIdempotent(request, async (claim) => {
    await new Promise<void>((resolve) => (resume = resolve))
    await request.db.transaction((tx) => claim.checkpoint(tx, 'reserved', { by: 'the dead' }))
    return { status: 200, body: 'late' }
  })
  // Its process has not renewed the claim for longer than the lease.
  await new Promise((resolve) => setTimeout(resolve, 100))
  await database.unscoped.query(sql`
    update idempotency_claims set locked_at = statement_timestamp() - interval '16 seconds'
    where organization_id = ${request.organization}`)
  assert.deepEqual(await runIdempotent(request, createWork('mine').work), {
    status: 202,
    body: 'mine',
    replayed: false,
  })
  resume()
  await assert.rejects(deadRun, /taken over/)
  assert.equal((await runIdempotent(request, createWork().work)).body, 'mine')
})

test('an expired claim without an effect is free for another body, one with an effect is not', async () => {
  for (const [point, isFree] of [
    ['claimed', true],
    [rejectedIdempotencyCheckpoint, true],
    ['payment_pending', false],
    ['reserved', false],
  ] as const) {
    const request = createRequest()
    const insertLockedClaim = (locked: string) =>
      database.unscoped.query(sql`
      insert into idempotency_claims as c (organization_id, operation, key, body_hash, holder, recovery_point, locked_at)
      values (${request.organization}, ${request.operation}, ${request.key}, 'another body', ${newId()}, ${point},
              statement_timestamp() - ${locked}::interval)
      on conflict (organization_id, operation, key) do update set locked_at = excluded.locked_at`)
    await insertLockedClaim('1 second')
    await assert.rejects(runIdempotent(request, createWork().work), isProblem('idempotency-conflict'))
    await insertLockedClaim('16 seconds')
    if (isFree) assert.equal((await runIdempotent(request, createWork().work)).replayed, false)
    else await assert.rejects(runIdempotent(request, createWork().work), isProblem('idempotency-conflict'))
  }
})

test('another principal is a conflict and gets no stored response, unless the first call had no effect', async () => {
  const request = createRequest()
  const key = { ...request, principal: 'api_key:one' }
  await runIdempotent(request, createWork('mine').work)
  await assert.rejects(runIdempotent(key, createWork().work), isProblem('idempotency-conflict'))
  assert.equal((await runIdempotent(request, createWork().work)).body, 'mine')

  const stoppedRequest = createRequest()
  await assert.rejects(runIdempotent(stoppedRequest, failAfter(stoppedRequest, 'reserved'), () => null))
  await assert.rejects(
    runIdempotent({ ...stoppedRequest, principal: 'human:two' }, createWork().work),
    isProblem('idempotency-conflict'),
  )
  assert.equal((await runIdempotent(stoppedRequest, createWork('gone on').work)).body, 'gone on')

  const deadRun = createRequest()
  await insertUnlockedClaim(deadRun, 'human:one')
  assert.equal((await runIdempotent({ ...deadRun, principal: 'human:two' }, createWork().work)).replayed, false)
})

test('a claim without a principal (older schema) can be resumed, but its stored response is not replayed', async () => {
  const request = createRequest()
  await insertUnlockedClaim(request, null, 'reserved')
  assert.equal((await runIdempotent(request, createWork('mine').work)).body, 'mine')
  await assert.rejects(
    runIdempotent({ ...request, principal: 'human:two' }, createWork().work),
    isProblem('idempotency-conflict'),
  )
  assert.equal((await runIdempotent(request, createWork().work)).body, 'mine')

  const finishedRequest = createRequest()
  await insertUnlockedClaim(finishedRequest, null, 'finished', { status: 202, body: 'old' })
  await assert.rejects(runIdempotent(finishedRequest, createWork().work), isProblem('idempotency-conflict'))
})

/** Inserts a claim of the same body that nobody holds. */
const insertUnlockedClaim = (
  request: IdempotentRequest,
  principal: string | null,
  point = 'claimed',
  response: StoredIdempotentResponse | null = null,
) =>
  database.unscoped.query(sql`
    insert into idempotency_claims
      (organization_id, operation, key, principal, body_hash, holder, locked_at, recovery_point, response)
    values (${request.organization}, ${request.operation}, ${request.key}, ${principal},
            ${createHash('sha256').update('{"a":1}').digest('hex')}, ${newId()}, null, ${point},
            ${response === null ? null : sql.json(response)})`)

test('a key is free again after 24 hours by the clock of the database, not before', async () => {
  const request = createRequest()
  const setAge = (text: string) =>
    database.unscoped.query(sql`
      update idempotency_claims set created_at = statement_timestamp() - ${text}::interval
      where organization_id = ${request.organization}`)
  await runIdempotent(request, createWork().work)
  await setAge('23 hours 59 minutes')
  assert.equal((await runIdempotent(request, createWork().work)).replayed, true)
  await setAge('24 hours 1 second')
  assert.equal((await runIdempotent({ ...request, input: 'other' }, createWork().work)).replayed, false)
  await setAge('25 hours')
  const others = [createRequest(), createRequest()]
  for (const other of others) await runIdempotent(other, createWork().work)
  await moveTime(
    database.unscoped,
    {
      table: 'idempotency_claims',
      column: 'created_at',
      where: sql`organization_id = ${others[0]!.organization}`,
    },
    -25 * 3_600_000,
  )
  assert.ok((await deleteExpiredIdempotencyClaims(database.unscoped)) >= 2)
  assert.equal(await readClaim(request), undefined)
  assert.equal(await readClaim(others[0]!), undefined)
  assert.ok(await readClaim(others[1]!))
})

test('unlockAbandonedClaims unlocks every unfinished claim of all organizations', async () => {
  const requests = [createRequest(), createRequest()]
  for (const request of requests)
    await database.unscoped.query(sql`
      insert into idempotency_claims (organization_id, operation, key, body_hash, holder)
      values (${request.organization}, ${request.operation}, ${request.key}, 'x', ${newId()})`)
  await releaseAbandonedIdempotencyClaims(database.unscoped)
  for (const request of requests) assert.equal((await readClaim(request))?.locked_at, null)
})
