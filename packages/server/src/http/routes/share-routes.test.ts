import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { pino } from 'pino'
import type { FastifyInstance } from 'fastify'
import { Problem } from '../../engine/problem.ts'
import { DatabaseFailure } from '../../platform/database/failures.ts'
import { createHttpServer } from '../server.ts'
import { registerShareRoutes } from './share-routes.ts'

const template =
  '<title>{{title}}</title><div data-problem="{{problem}}" data-retry-after="{{retry_after_s}}">{{content}}</div><p>{{other}}</p>'

let folder: string
let app: FastifyInstance
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'swath-share-'))
  const documentFile = join(folder, 'share.html')
  await writeFile(documentFile, template)
  app = createHttpServer({
    trustProxy: false,
    log: pino({ level: 'silent' }),
    metrics: { recordCall: () => {} } as never,
    baseUrl: 'http://localhost:8080',
  })
  registerShareRoutes(app, { readLinkState, documentFile } as never)
})
after(async () => {
  await app.close()
  await rm(folder, { recursive: true })
})

const failures: Readonly<Record<string, unknown>> = {
  unknown: new Problem('not-found', 'No link has this token.'),
  ended: new Problem('gone-expired', 'The link was revoked.'),
  throttled: new Problem('rate-limited', '"><script>', { retry_after_s: 41 }),
  outage: new DatabaseFailure('database-unavailable', 'no connection'),
  broken: new TypeError('a secret of the code'),
}

async function readLinkState(token: string): Promise<{ expires_at: Date }> {
  if (Object.hasOwn(failures, token)) throw failures[token]
  return { expires_at: new Date('2026-03-01T12:00:00Z') }
}

const open = (token: string) => app.inject({ url: `/share/${token}`, headers: { accept: 'text/html' } })

test('the page has the form without a script, and a policy with scripts of this server only', async () => {
  const { statusCode, headers, body } = await open('swathshare_x')
  assert.equal(statusCode, 200)
  assert.match(body, /<title>Shared imagery<\/title><div data-problem="" data-retry-after=""><main/)
  assert.match(body, /<form method="post">/)
  assert.match(body, /<p>\{\{other\}\}<\/p>/, 'only known placeholders are filled')
  const policy = String(headers['content-security-policy'])
  assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self';/)
  assert.match(policy, /connect-src 'self';.* frame-ancestors 'none'/)
  assert.doesNotMatch(policy, /unsafe|https?:|\*/)
  assert.equal(headers['cache-control'], 'no-store')
  assert.equal(headers['referrer-policy'], 'no-referrer')
  assert.equal(headers['x-robots-tag'], 'noindex, nofollow')
})

test('the reason why a link cannot be opened is in the page and passed to its script', async () => {
  const cases = [
    ['unknown', 404, 'not-found', /does not exist/],
    ['ended', 410, 'gone-expired', /no longer valid/],
    ['throttled', 429, 'rate-limited', /Too many visits/],
    ['outage', 503, 'unavailable', /not available now/],
    ['broken', 500, 'internal', /not available now/],
  ] as const
  for (const [token, status, problem, text] of cases) {
    const { statusCode, headers, body } = await open(token)
    assert.equal(statusCode, status, token)
    assert.match(String(headers['content-type']), /^text\/html/)
    assert.ok(body.includes(`data-problem="${problem}"`), body)
    assert.match(body, text)
    assert.doesNotMatch(body, /<form|<script|secret|revoked/)
  }
  const { headers, body } = await open('throttled')
  assert.equal(headers['retry-after'], '41')
  assert.match(body, /data-retry-after="41"/)
  assert.ok(Number((await open('outage')).headers['retry-after']) > 0)
})

test('a program gets a 404 problem for a share page', async () => {
  const { statusCode, headers } = await app.inject({ url: '/share/x', headers: { accept: 'application/json' } })
  assert.equal(statusCode, 404)
  assert.match(String(headers['content-type']), /^application\/problem\+json/)
})
