import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiProblem } from '@swath/client/problem.ts'
import { problemTexts } from '../texts/problem.ts'
import { explain, isOutdated } from './problem.ts'

const problem = (status: number, members: object = {}, retryAfter_s: number | null = null): ApiProblem =>
  new ApiProblem(
    status,
    { type: '/problems/some', title: 'Some title', detail: 'The detail.', ...members },
    retryAfter_s,
  )

test('a missing thing is said to be missing, and asking again is not offered', () => {
  const { text, isMissing, isRepeatable } = explain(problem(404))
  assert.deepEqual([text, isMissing, isRepeatable], [problemTexts.missing, true, false])
})

test('a conflict says its reason, and that nothing was changed', () => {
  assert.equal(explain(problem(409)).text, problemTexts.unchanged('The detail.'))
})

test('the subject of a 404 or 409 is out of date, also on the screen', () => {
  assert.deepEqual(
    [404, 409, 402, 500].map((status) => isOutdated(problem(status))),
    [true, true, false, false],
  )
  assert.equal(isOutdated(new TypeError('Failed to fetch')), false)
})

test('too many calls have the wait of the platform, an internal error its trace', () => {
  assert.deepEqual([explain(problem(429, {}, 7)).wait_s, explain(problem(429)).wait_s], [7, 1])
  const { text, traceId, isRepeatable } = explain(problem(500, { trace_id: 'abc' }))
  assert.deepEqual([text, traceId, isRepeatable], [problemTexts.unexpected, 'abc', true])
})

test('an internal error of a read does not speak of what was entered', () => {
  assert.equal(explain(problem(500), { isRead: true }).text, problemTexts.unreadable)
})
