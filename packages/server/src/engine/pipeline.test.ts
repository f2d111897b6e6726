import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import { operation, type Operation } from '@swath/contract/operation.ts'
import { Input } from '@swath/contract/shapes/primitives.ts'
import { openTestDatabase } from '../../test/database.ts'
import { newId } from '../platform/ids.ts'
import { bytes } from './answer.ts'
import type { Call, Principal } from './call.ts'
import { observation } from './observe.ts'
import { perform, type CallRequest, type Steps } from './pipeline.ts'
import { Problem } from './problem.ts'

const write = operation({
  id: 'test.write',
  scope: 'items:write',
  effect: 'compute',
  summary: 'Write.',
  input: Input({ name: Type.String() }),
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
function made(
  faults: {
    onUndeclaredProblem?: Steps['onUndeclaredProblem']
    known?: boolean
    who?: boolean
    scopes?: string[]
    limited?: boolean
    body?: unknown
    answer?: unknown
  } = {},
) {
  const taken: string[] = []
  const { answer = async () => ({ id: 'x' }) } = faults
  const steps: Steps = {
    ...(faults.onUndeclaredProblem ? { onUndeclaredProblem: faults.onUndeclaredProblem } : {}),
    find: (id) => {
      taken.push('find')
      return faults.known === false || id !== write.id ? null : { operation: write, answer: answer as never }
    },
    authenticate: async () => {
      taken.push('authenticate')
      if (faults.who === false) throw new Problem('unauthenticated', 'Who?')
      return { ...principal, scopes: faults.scopes ?? principal.scopes }
    },
    admit: () => {
      taken.push('admit')
      if (faults.limited) throw new Problem('rate-limited', 'Too many.')
    },
    openCall: () => {
      taken.push('handle')
      return {} as Call
    },
  }
  const request: CallRequest = {
    operation: write.id,
    credentials: { authorization: null, apiKey: null, address: '' },
    readBody: async () => {
      taken.push('body')
      if (faults.body instanceof Error) throw faults.body
      return 'body' in faults ? faults.body : { name: 'x' }
    },
    inputFrom: 'body',
    idempotencyKey: null,
    baseUrl: '',
    requestId: '',
    origin: '',
    signal: new AbortController().signal,
    log: observation(),
  }
  return { taken, request, run: () => perform(steps, request) }
}

async function problemOf(work: Promise<unknown>): Promise<string> {
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
    known: false,
    who: false,
    scopes: [],
    limited: true,
    body: new Problem('malformed', 'No JSON.'),
    answer: null,
  }
  const table = [
    [everything, 'unknown-operation', ['find']],
    [{ ...everything, known: true }, 'unauthenticated', ['find', 'authenticate']],
    [{ ...everything, known: true, who: true }, 'insufficient-scope', ['find', 'authenticate']],
    [{ limited: true, body: everything.body, answer: null }, 'rate-limited', ['find', 'authenticate', 'admit']],
    [{ body: everything.body, answer: null }, 'malformed', ['find', 'authenticate', 'admit', 'body']],
    [{ body: { name: 5 }, answer: null }, 'validation', ['find', 'authenticate', 'admit', 'body']],
    [{ answer: null }, 'not-implemented', ['find', 'authenticate', 'admit', 'body']],
    [
      { answer: () => Promise.reject(new Problem('not-found', 'No.')) },
      'not-found',
      ['find', 'authenticate', 'admit', 'body', 'handle'],
    ],
    [{}, 'none', ['find', 'authenticate', 'admit', 'body', 'handle']],
  ] as const
  for (const [faults, problem, steps] of table) {
    const { taken, run } = made(faults as never)
    assert.equal(await problemOf(run()), problem)
    assert.deepEqual(taken, steps)
  }
})

test('insufficient-scope names the required scope', async () => {
  await assert.rejects(made({ scopes: ['items:read', 'catalog:*'] }).run(), (error: Problem) => {
    assert.deepEqual(error.extra, { required_scope: 'items:write' })
    return true
  })
})

test('a problem that the operation does not declare is logged, and the listener can replace it', async () => {
  const ending = (problem: 'upstream' | 'rate-limited') => async () => {
    throw new Problem(problem, 'No.')
  }
  const plain = made({ answer: ending('upstream') })
  assert.equal(await problemOf(plain.run()), 'upstream')
  assert.equal(plain.request.log.facts['undeclared_problem'], 'upstream')

  const heard: unknown[] = []
  const onUndeclaredProblem = (...facts: unknown[]): void => {
    heard.push(facts)
    throw new Error('undeclared')
  }
  await assert.rejects(made({ answer: ending('upstream'), onUndeclaredProblem }).run(), /^Error: undeclared$/)
  assert.deepEqual(heard, [['test.write', 'upstream']])

  const common = made({ answer: ending('rate-limited'), onUndeclaredProblem })
  assert.equal(await problemOf(common.run()), 'rate-limited')
  assert.equal(common.request.log.facts['undeclared_problem'], undefined)
})

test('returns bytes unvalidated, and rejects JSON output that does not match the schema', async () => {
  const outcome = await made({ answer: async () => bytes(new Uint8Array([1]), 'image/png') }).run()
  assert.equal(outcome.form, 'response')
  await assert.rejects(made({ answer: async () => ({ id: 5 }) }).run(), /invariant/)
  const json = await made().run()
  assert.deepEqual(json.form === 'json' && json.output, { id: 'x' })
})

test('an error after a durable effect is stored and replayed byte for byte, with the trace id of the first call', async () => {
  const database = await openTestDatabase()
  const organization = newId()
  try {
    const idempotent = { ...write, idempotent: true } as Operation
    const db = database.of(organization)
    let runs = 0
    const heard: string[] = []
    const answer = async (call: Call) => {
      runs++
      await db.transaction((tx) => call.claim!.reach(tx, 'reserved', {}))
      throw new Problem('invalid-state', 'Too late.', { state: 'ended' })
    }
    const run = async (requestId: string) => {
      const steps: Steps = {
        onUndeclaredProblem: (_operation, problem) => void heard.push(problem),
        find: () => ({ operation: idempotent, answer: answer as never }),
        authenticate: async () => ({ ...principal, organization }),
        admit: () => {},
        openCall: (_request, _principal, _operation, claim) => ({ db, organization, claim }) as unknown as Call,
      }
      const outcome = await perform(steps, { ...made().request, idempotencyKey: 'k', requestId, baseUrl: 'http://x' })
      assert.ok(outcome.form === 'json')
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
    assert.deepEqual(heard, ['invalid-state'])
  } finally {
    await database.close()
  }
})
