import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BlobStoreUnavailable } from '../platform/blobs/blobs.ts'
import { DatabaseFailure, StatementError } from '../platform/database/failures.ts'
import { createLogger } from '../platform/log.ts'
import { createMetrics } from '../platform/metrics.ts'
import { createHttpServer } from './server.ts'

const serverError = (code: string): Error => Object.assign(new Error('the server says no'), { code, severity: 'FATAL' })

/** The response to a call that throws this error. */
async function responseTo(error: Error): Promise<{ status: number; type: string; retry: unknown; detail: string }> {
  const log = createLogger({ level: 'silent' })
  const app = createHttpServer({ trustProxy: false, log, metrics: createMetrics(), baseUrl: 'https://swath.example' })
  app.get('/', () => Promise.reject(error))
  const answer = await app.inject('/')
  const { type, detail } = answer.json<{ type: string; detail: string }>()
  return { status: answer.statusCode, type, retry: answer.headers['retry-after'], detail }
}

test('an outage or a lost conflict of the database, and an outage of the blob store, is 503, also as the cause of another error', async () => {
  const outages = [
    new DatabaseFailure('database-unavailable', 'secret host'),
    new DatabaseFailure('database-closed', 'secret host'),
    new DatabaseFailure('outcome-unknown', 'secret host'),
    new DatabaseFailure('statement-too-long', 'secret statement'),
    new DatabaseFailure('transaction-abandoned', 'secret statement'),
    serverError('57014'),
    serverError('57P01'),
    serverError('53200'),
    serverError('53300'),
    serverError('40001'),
    serverError('40P01'),
    new BlobStoreUnavailable(new Error('secret host')),
    new Error('the image cannot be read', { cause: new BlobStoreUnavailable(new Error('secret host')) }),
  ]
  for (const error of outages) {
    const { status, type, retry, detail } = await responseTo(error)
    assert.equal(status, 503, error.message)
    assert.equal(type, 'https://swath.example/problems/unavailable')
    assert.match(String(retry), /^[12]$/)
    assert.doesNotMatch(detail, /secret/)
  }
})

test('a search that exceeds its time limit returns 422 with advice to narrow it', async () => {
  const { status, type, detail } = await responseTo(new DatabaseFailure('search-too-long', 'secret statement'))
  assert.deepEqual([status, type], [422, 'https://swath.example/problems/budget-exceeded'])
  const [error] = detail as unknown as { loc: string[]; msg: string; type: string }[]
  assert.match(error!.msg, /Narrow it/)
  assert.deepEqual([error!.loc, error!.type], [['query'], 'budget-exceeded'])
})

test('a full disk is 503 and named in the detail, whichever component reports it', async () => {
  const refusals = [
    new StatementError({ message: 'could not extend file "base/5/17477"', code: '53100' }),
    new DatabaseFailure('disk-full', 'secret folder'),
    serverError('53100'),
    Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', syscall: 'write' }),
  ]
  for (const error of refusals) {
    const { status, detail } = await responseTo(error)
    assert.equal(status, 503, error.message)
    assert.match(detail, /^The disk of the platform is full/)
  }
})

test('a failed statement and a refused connection to another host are internal errors', async () => {
  const internalErrors = [
    new StatementError({ message: 'no such column', code: '42703' }),
    Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }),
  ]
  for (const error of internalErrors) assert.equal((await responseTo(error)).status, 500, error.message)
})
