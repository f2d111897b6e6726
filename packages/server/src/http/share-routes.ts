import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { SharedItem, ShareSession } from '@swath/contract/shapes/share-link.ts'
import type { TileJson } from '@swath/contract/shapes/tilejson.ts'
import { invariant, Problem } from '../engine/problem.ts'
import type { RateLimitState } from '../platform/rate-limits/rate-limit.ts'
import { blockOf } from './address-block.ts'
import { enter, type Doors } from './door.ts'
import { rateLimitHeaders } from './rate-limit-headers.ts'
import { readBytes } from './read-body.ts'
import { bodyStream } from './server.ts'
import { passwordPage, sharedPage, sharePolicy, wordsPage } from './share-page.ts'

export interface ShareDoors extends Doors {
  /**
   * When a link ends that would open with its password; throws the Problem of one that would not. Counts as a visit, or as none
   * where that is null.
   */
  state(token: string, visit: LinkVisit | null): Promise<{ readonly expires_at: Date }>
}

/** Where somebody comes from, and what hears how the limit of visits stands. */
export interface LinkVisit {
  readonly origin: string
  tellLimits(states: readonly RateLimitState[]): void
}

const path = '/share/:token'
const formType = 'application/x-www-form-urlencoded'
const formLimit_bytes = 8 * 1024
/** So many items of a collection stand on its page. */
const listed_items = 20

/** Neither kept nor indexed nor passed on: the address is half of what opens the link. */
const discreet = {
  'cache-control': 'no-store',
  'content-security-policy': sharePolicy,
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex, nofollow',
}

interface Words {
  readonly title: string
  readonly sentence: string
}

const ended: Words = { title: 'This link has ended', sentence: 'Ask whoever sent it for a new one.' }

/** What a visitor reads instead of a problem document; nothing that is known of the link. */
const words: Readonly<Record<string, Words>> = {
  'not-found': { title: 'This link leads nowhere', sentence: 'Check that the address is complete.' },
  'gone-expired': ended,
  'gone-retention': ended,
  'rate-limited': { title: 'Too many visits', sentence: 'Try again in a few minutes.' },
  'quota-exceeded': { title: 'Too many visits', sentence: 'The link has been opened as often as it may be for now.' },
}

const otherwise: Words = { title: 'This cannot be shown now', sentence: 'Try again later.' }

/**
 * The pages that the address of a share link leads people to. Programs, which ask for no HTML, open a link by its operations. All that a
 * page shows is asked of those, as anybody else would ask: with the password, and within the limits of visits.
 */
export function shareRoutes(app: FastifyInstance, doors: ShareDoors): void {
  app.get('/share/download', (request, reply) =>
    withPages(request, reply, async () => {
      const input = { ...(request.query as object) }
      const { url } = await ask<{ url: string }>(doors, request, reply, 'share.asset.download', input)
      return reply.headers(discreet).redirect(url, 303)
    }),
  )
  app.get(path, async (request, reply) => {
    if (!wantsPage(request)) return refuseProgram(request)
    return withPages(request, reply, async () => {
      const tellLimits = (states: readonly RateLimitState[]): void => rateLimitHeaders(reply, states)
      await doors.state(tokenOf(request), { origin: blockOf(request.ip), tellLimits })
      return show(reply, passwordPage(null))
    })
  })
  app.post(path, async (request, reply) => {
    if (!request.headers['content-type']?.startsWith(formType)) return refuseProgram(request)
    return withPages(request, reply, () => open(doors, request, reply))
  })
}

/** As an address that nothing answers, but the log is told no token. */
function refuseProgram({ seen }: FastifyRequest): never {
  seen.set({ path: '/share' })
  throw new Problem('not-found', 'Programs open a link by the operations of sharing; people ask for HTML.')
}

/** Why there are no tiles to show beside the files: of what cannot be drawn, the rest is shown. */
const isWithoutTiles = (error: unknown): boolean =>
  error instanceof Problem && error.status < 500 && !(error.problem in words)

const wantsPage = ({ headers: { accept = '' } }: FastifyRequest): boolean => /\btext\/html\b/i.test(accept)

const tokenOf = ({ params }: FastifyRequest): string => (params as { token: string }).token

/** Shows what the password of the form opens. */
async function open(doors: ShareDoors, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const token = tokenOf(request)
  const stream = bodyStream(request)
  const form = new URLSearchParams(stream ? (await readBytes(stream, formLimit_bytes, null)).toString() : '')
  const password = form.get('password') ?? ''
  const to = <T>(operation: string, input: object): Promise<T> => ask<T>(doors, request, reply, operation, input)
  const { token: session, permission } = await to<ShareSession>('share.session.create', { token, password })
  const { expires_at } = await doors.state(token, null)
  const list = { token: session, limit: listed_items }
  const { items, total } = await to<{ items: SharedItem[]; total: number }>('share.items.list', list)
  const tiles = await to<TileJson>('share.tilejson', { token: session }).catch((error: unknown) => {
    if (isWithoutTiles(error)) return null
    throw error
  })
  return show(reply, sharedPage({ session, expires_at, permission, items, total, tiles }))
}

async function ask<T>(
  doors: ShareDoors,
  request: FastifyRequest,
  reply: FastifyReply,
  operation: string,
  input: object,
): Promise<T> {
  const outcome = await enter(doors, request, reply, operation, async () => input)
  invariant(outcome.form === 'json', `${operation} answers JSON`)
  return outcome.output as T
}

/** Runs what answers a page; a refusal is a page of its own. The log is told no token. */
async function withPages(
  request: FastifyRequest,
  reply: FastifyReply,
  work: () => Promise<FastifyReply>,
): Promise<FastifyReply> {
  request.seen.set({ path: '/share' })
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500) throw error
    request.seen.set({ problem: error.problem, reason: error.message })
    reply.code(error.status)
    if (error.status === 429) reply.header('retry-after', String(error.extra['retry_after_s'] ?? 60))
    if (error.problem === 'forbidden' && request.method === 'POST')
      return show(reply, passwordPage('That password does not open the link.'))
    const { title, sentence } = words[error.problem] ?? otherwise
    return show(reply, wordsPage(title, sentence))
  }
}

const show = (reply: FastifyReply, html: string): FastifyReply =>
  reply.headers(discreet).type('text/html; charset=utf-8').send(html)
