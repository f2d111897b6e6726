import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiProblem } from '@swath/client/problem.ts'
import { explainFailure, findClosedLink } from './link-failure.ts'

const problem = (status: number, name: string, more: object = {}, retryAfter_s: number | null = null): ApiProblem =>
  new ApiProblem(status, { type: `https://swath.test/problems/${name}`, ...more }, retryAfter_s)

test('an ended, an unknown and a used-up link are closed, each with what to do', () => {
  for (const [status, name] of [
    [404, 'not-found'],
    [410, 'gone-expired'],
    [410, 'gone-retention'],
    [429, 'quota-exceeded'],
  ] as const) {
    // prettier-ignore
    const failure = explainFailure(problem(status, name))
    assert.ok('closed' in failure, name)
    assert.equal(failure.closed, findClosedLink(name))
  }
  assert.equal(findClosedLink('__proto__'), null)
  assert.equal(findClosedLink(''), null)
})

test('a wrong password is said with the sentence of the server', () => {
  const failure = explainFailure(problem(403, 'forbidden', { detail: 'The password of the link is wrong.' }))
  assert.deepEqual(failure, { text: 'The password of the link is wrong.', traceId: null })
})

test('a throttled visitor is told how long to wait', () => {
  const textAfter = (wait_s: number | null) => {
    const failure = explainFailure(problem(429, 'rate-limited', {}, wait_s))
    return 'text' in failure ? failure.text : ''
  }
  assert.match(textAfter(1), /in 1 second\./)
  assert.match(textAfter(42.2), /in 43 seconds\./)
  assert.match(textAfter(301), /in 6 minutes\./)
  assert.match(textAfter(null), /in 60 seconds\./)
})

test('an outage has the trace of the server, an unreachable server says so', () => {
  const outage = explainFailure(problem(503, 'unavailable', { trace_id: '01', detail: 'secret' }))
  assert.ok('text' in outage && outage.traceId === '01')
  assert.doesNotMatch(outage.text, /secret/)
  const away = explainFailure(new TypeError('Failed to fetch'))
  assert.ok('text' in away)
  assert.match(away.text, /cannot be reached/)
})
