import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInThisContext } from 'node:vm'
import Type from 'typebox'
import { operation, type Operation } from '@swath/contract/operation.ts'
import { StrictObject } from '@swath/contract/schemas/primitives.ts'
import { openTestDatabase } from '../../test/database.ts'
import { newId } from '../platform/ids.ts'
import { createBytesResponse, createSerializedJson } from './operation-response.ts'
import type { Call, Principal } from './call.ts'
import { createCallLog } from './call-log.ts'
import type { CallRequest } from './pipeline/call-request.ts'
import { executeCall } from './pipeline.ts'
import type { CallPipelineDependencies } from './pipeline/state.ts'
import { Problem } from './problem.ts'

const write = operation({
  id: 'test.write',
  scope: 'items:write',
  effect: 'compute',
  summary: 'Write.',
  input: StrictObject({ name: Type.String() }),
  output: Type.Object({ id: Type.String() }),
}) as unknown as Operation

const principal: Principal = {
  kind: 'human',
  id: 'somebody',
  user: 'somebody',
  organization: 'some organization',
  role: 'member',
  scopes: ['items:*'],
  administrator: false,
}

/** A pipeline of which every step can fail, and which records the steps taken. */
function createPipeline(
  failures: {
    onUndeclaredProblem?: CallPipelineDependencies['onUndeclaredProblem']
    countCall?: CallPipelineDependencies['countCall']
    isKnown?: boolean
    isAuthenticated?: boolean
    scopes?: string[]
    isRateLimited?: boolean
    body?: unknown
    answer?: unknown
  } = {},
) {
  const stepsTaken: string[] = []
  const { answer: handle = async () => ({ id: 'x' }) } = failures
  const dependencies: CallPipelineDependencies = {
    ...(failures.onUndeclaredProblem ? { onUndeclaredProblem: failures.onUndeclaredProblem } : {}),
    ...(failures.countCall ? { countCall: failures.countCall } : {}),
    find: (id) => {
      stepsTaken.push('find')
      return failures.isKnown === false || id !== write.id ? null : { operation: write, handle: handle as never }
    },
    authenticate: async () => {
      stepsTaken.push('authenticate')
      if (failures.isAuthenticated === false) throw new Problem('unauthenticated', 'Who?')
      return { ...principal, scopes: failures.scopes ?? principal.scopes }
    },
    enforceRateLimits: () => {
      stepsTaken.push('admit')
      if (failures.isRateLimited) throw new Problem('rate-limited', 'Too many.')
    },
    connectTo: () => {
      throw new Error('no key was sent')
    },
    requirePermission: async () => {
      stepsTaken.push('permission')
    },
    createCall: () => {
      stepsTaken.push('handle')
      return {} as Call
    },
  }
  const request: CallRequest = {
    operation: write.id,
    credentials: { authorization: null, apiKey: null, address: '' },
    readBody: async () => {
      stepsTaken.push('body')
      if (failures.body instanceof Error) throw failures.body
      return 'body' in failures ? failures.body : { name: 'x' }
    },
    inputSource: 'body',
    idempotencyKey: null,
    baseUrl: '',
    requestId: '',
    rateLimitKey: '',
    signal: new AbortController().signal,
    log: createCallLog(),
  }
  return { stepsTaken, request, run: () => executeCall(dependencies, request) }
}

async function problemNameOf(work: Promise<unknown>): Promise<string> {
  try {
    await work
    return 'none'
  } catch (error) {
    if (error instanceof Problem) return error.problem
    throw error
  }
}

test('the first failing step decides the problem, in the order of the steps', async () => {
  const everything = {
    isKnown: false,
    isAuthenticated: false,
    scopes: [],
    isRateLimited: true,
    body: new Problem('malformed', 'No JSON.'),
  }
  const table = [
    [everything, 'unknown-operation', ['find']],
    [{ ...everything, isKnown: true }, 'unauthenticated', ['find', 'authenticate']],
    [{ ...everything, isKnown: true, isAuthenticated: true }, 'insufficient-scope', ['find', 'authenticate']],
    [{ isRateLimited: true, body: everything.body }, 'rate-limited', ['find', 'authenticate', 'admit']],
    [{ body: everything.body }, 'malformed', ['find', 'authenticate', 'admit', 'body']],
    [{ body: { name: 5 } }, 'validation', ['find', 'authenticate', 'admit', 'body']],
    [
      { answer: () => Promise.reject(new Problem('not-found', 'No.')) },
      'not-found',
      ['find', 'authenticate', 'admit', 'body', 'handle'],
    ],
    [{}, 'none', ['find', 'authenticate', 'admit', 'body', 'handle']],
  ] as const
  for (const [failures, problem, dependencies] of table) {
    const { stepsTaken, run } = createPipeline(failures as never)
    assert.equal(await problemNameOf(run()), problem)
    assert.deepEqual(stepsTaken, dependencies)
  }
})

test('insufficient-scope names the required scope', async () => {
  await assert.rejects(createPipeline({ scopes: ['items:read', 'catalog:*'] }).run(), (error: Problem) => {
    assert.deepEqual(error.extra, { required_scope: 'items:write' })
    return true
  })
})

test('a problem that the operation does not declare is logged, and the listener can replace it', async () => {
  const failWith = (problem: 'upstream' | 'rate-limited') => async () => {
    throw new Problem(problem, 'No.')
  }
  const plain = createPipeline({ answer: failWith('upstream') })
  assert.equal(await problemNameOf(plain.run()), 'upstream')
  assert.equal(plain.request.log.fields['undeclared_problem'], 'upstream')

  const reported: unknown[] = []
  const onUndeclaredProblem = (...reportedProblem: unknown[]): void => {
    reported.push(reportedProblem)
    throw new Error('undeclared')
  }
  await assert.rejects(
    createPipeline({ answer: failWith('upstream'), onUndeclaredProblem }).run(),
    /^Error: undeclared$/,
  )
  assert.deepEqual(reported, [['test.write', 'upstream']])

  const withCommonProblem = createPipeline({ answer: failWith('rate-limited'), onUndeclaredProblem })
  assert.equal(await problemNameOf(withCommonProblem.run()), 'rate-limited')
  assert.equal(withCommonProblem.request.log.fields['undeclared_problem'], undefined)
})

test('returns bytes unvalidated, and rejects JSON output that does not match the schema', async () => {
  const outcome = await createPipeline({
    answer: async () => createBytesResponse(new Uint8Array([1]), 'image/png'),
  }).run()
  assert.equal(outcome.kind, 'response')
  await assert.rejects(createPipeline({ answer: async () => ({ id: 5 }) }).run(), /invariant/)
  const json = await createPipeline().run()
  assert.deepEqual(json.kind === 'json' && json.output, { id: 'x' })
})

/** True if V8 gives both objects the same hidden class. */
function haveSameHiddenClass(left: object, right: object): boolean {
  setFlagsFromString('--allow-natives-syntax')
  try {
    return (runInThisContext('(left, right) => %HaveSameMap(left, right)') as (...objects: object[]) => boolean)(
      left,
      right,
    )
  } finally {
    setFlagsFromString('--no-allow-natives-syntax')
  }
}

test('serialized results share one hidden class: one of their own would keep the text until a full garbage collection', async () => {
  const run = (id: string) =>
    createPipeline({ answer: async () => createSerializedJson(`{"id":"${id}`, '', '"}') }).run()
  const [first, second] = [await run('a'), await run('b')]
  assert.ok(first.kind === 'json' && second.kind === 'json')
  assert.deepEqual([first.text, first.output, second.output], ['{"id":"a"}', { id: 'a' }, { id: 'b' }])
  assert.ok(haveSameHiddenClass(first, second))
})

test('an error after a durable effect is stored and replayed byte for byte, with the trace id of the first call', async () => {
  const database = await openTestDatabase()
  const organization = newId()
  try {
    const idempotent = { ...write, idempotent: true } as Operation
    const db = database.forOrganization(organization)
    let runs = 0
    const reported: string[] = []
    const handle = async (call: Call) => {
      runs++
      await db.transaction((tx) => call.claim!.checkpoint(tx, 'reserved', {}))
      throw new Problem('invalid-state', 'Too late.', { state: 'ended' })
    }
    const run = async (requestId: string) => {
      const dependencies: CallPipelineDependencies = {
        onUndeclaredProblem: (_operation, problem) => void reported.push(problem),
        find: () => ({ operation: idempotent, handle: handle as never }),
        authenticate: async () => ({ ...principal, organization }),
        enforceRateLimits: () => {},
        connectTo: () => db,
        requirePermission: async () => {},
        createCall: (_request, _principal, _operation, { claim }) => ({ db, organization, claim }) as unknown as Call,
      }
      const outcome = await executeCall(dependencies, {
        ...createPipeline().request,
        idempotencyKey: 'k',
        requestId,
        baseUrl: 'http://x',
      })
      assert.ok(outcome.kind === 'json')
      return [outcome.status, outcome.media_type, outcome.text, outcome.replayed]
    }
    const text = JSON.stringify({
      type: 'http://x/problems/invalid-state',
      title: 'Invalid state',
      status: 409,
      detail: 'Too late.',
      state: 'ended',
      trace_id: 'first',
    })
    assert.deepEqual(await run('first'), [409, 'application/problem+json', text, false])
    assert.deepEqual(await run('second'), [409, 'application/problem+json', text, true])
    assert.equal(runs, 1)
    assert.deepEqual(reported, ['invalid-state'])
  } finally {
    await database.close()
  }
})

test('every call of an authenticated caller is counted once, as succeeded or failed', async () => {
  const counted: [string, string, boolean][] = []
  const countCall: CallPipelineDependencies['countCall'] = ({
    principal: { id },
    operation: name,
    failed,
    duration_ms,
  }) => {
    assert.ok(duration_ms >= 0)
    counted.push([id, name, failed])
  }
  await createPipeline({ countCall }).run()
  for (const failures of [{ isRateLimited: true }, { scopes: [] }, { body: { name: 1 } }, { answer: null }])
    await assert.rejects(createPipeline({ countCall, ...failures }).run())
  await assert.rejects(createPipeline({ countCall, isAuthenticated: false }).run())
  const failed: [string, string, boolean] = [principal.id, write.id, true]
  assert.deepEqual(counted, [[principal.id, write.id, false], failed, failed, failed, failed])
})
