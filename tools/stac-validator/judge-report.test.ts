import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findUnknownErrors } from './judge-report.ts'

const known =
  '- [Item Search - Fields Ext] : POST Search with fields contained extra fields\n' +
  '- [Features - Transaction Ext] : PATCH /items/1 had unexpected status code 200 instead of 204\n'

test('known errors pass, and one or very many unknown ones do not', () => {
  assert.deepEqual(findUnknownErrors('Warnings: none\nErrors: none\n'), [])
  assert.deepEqual(findUnknownErrors(`Errors:\n${known}`), [])
  const unknown = '- [Core] : the landing page has no title\n'
  for (const count of [1, 10_000])
    assert.equal(findUnknownErrors(`Errors:\n${known}${unknown.repeat(count)}`).length, count)
})

test('a report without a list of errors does not pass', () => {
  for (const report of ['', 'Traceback: the server is not there\n'])
    assert.throws(() => findUnknownErrors(report), /no list of errors/, report)
})
