import assert from 'node:assert/strict'
import { test } from 'node:test'
import { problems, type ProblemName } from '@swath/contract/problems.ts'
import { assertInvariant, Problem, toProblemDocument, validationProblem } from './problem.ts'

test('every problem has its status and document; with 422 the detail is a list, and a validation problem has errors', () => {
  for (const [name, row] of Object.entries(problems)) {
    const problem = new Problem(name as ProblemName, 'What happened.', { more: 1 })
    assert.equal(problem.status, row.status)
    assert.deepEqual(toProblemDocument(problem, 'https://swath.example', 'trace', 'query'), {
      type: `https://swath.example/problems/${name}`,
      title: row.title,
      status: row.status,
      detail: row.status === 422 ? [{ loc: ['query'], msg: 'What happened.', type: name }] : 'What happened.',
      ...(name === 'validation' ? { errors: [{ path: '', message: 'What happened.' }] } : {}),
      more: 1,
      trace_id: 'trace',
    })
  }
})

test('a validation problem has both error lists, with numbers for array indexes', () => {
  const faults = [
    { path: 'captures.0.id', message: 'is required' },
    { path: '', message: 'must be object' },
  ]
  const problem = validationProblem(faults, 'query')
  assert.equal(problem.message, 'captures.0.id: is required')
  assert.deepEqual(problem.extra['errors'], faults)
  assert.deepEqual(problem.extra['detail'], [
    { loc: ['query', 'captures', 0, 'id'], msg: 'is required', type: 'value_error' },
    { loc: ['query'], msg: 'must be object', type: 'value_error' },
  ])
  assert.ok(validationProblem([]).message.length > 0)
})

test('a failed invariant is an internal error, not a Problem', () => {
  assertInvariant(1, 'holds')
  assert.throws(
    () => assertInvariant(0, 'does not'),
    (error) => error instanceof Error && !(error instanceof Problem) && error.message === 'invariant: does not',
  )
})
