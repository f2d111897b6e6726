import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { SharedItem, ShareSession } from '@swath/contract/schemas/share-link.ts'
import type { TileJson } from '@swath/contract/schemas/tilejson.ts'
import { assertInvariant, Problem } from '../../engine/problem.ts'
import type { RateLimitState } from '../../platform/rate-limits/rate-limit.ts'
import { toIpAddressBlock } from '../address-block.ts'
import { readBuiltPage } from '../pages/built-page.ts'
import { dispatchHttpCall, type HttpRouteContext } from '../http-call.ts'
import { setRateLimitHeaders } from '../rate-limit-headers.ts'
import { readBodyBytes } from '../bodies/read-body.ts'
import { getBodyStream, resolveBaseUrl } from '../server.ts'
import { buildProblemHeaders, logErrorAsProblem } from '../send-problem.ts'
import {
  createShareMessagePage,
  createSharePasswordPage,
  createSharedContentPage,
  fillShareDocument,
  renderSharePage,
  shareContentSecurityPolicy,
  sharePageContentSecurityPolicy,
  type SharePage,
  type ShareRefusal,
} from '../pages/share-page.ts'

export interface ShareRouteOptions extends HttpRouteContext {
  /**
   * Reads when a link expires that can be opened with its password; throws the Problem of one that cannot. Counts as a
   * visit unless `visit` is null.
   */
  readLinkState(token: string, visit: ShareVisit | null): Promise<{ readonly expires_at: Date }>
  /** The built page of the console for visitors; null if it was not built. */
  readonly documentFile: string | null
}

/** The client address that visits are counted by, and where the state of the rate limit is reported. */
export interface ShareVisit {
  readonly rateLimitKey: string
  reportRateLimits(states: readonly RateLimitState[]): void
}

const path = '/share/:token'
const formType = 'application/x-www-form-urlencoded'
const max_form_bytes = 8 * 1024
/** Maximum items of a collection that its page lists. */
const max_listed_items = 20

/** Not cached, not indexed, not sent on in a Referer header: the URL has the token of the link. */
const privateHeaders = {
  'cache-control': 'no-store',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
}

interface PageMessage {
  readonly title: string
  readonly text: string
}

const linkExpired: PageMessage = { title: 'This link is no longer valid', text: 'Ask the sender for a new one.' }

/** Page texts by problem, in place of a problem document; they reveal nothing about the link. */
const messageByProblem: Readonly<Record<string, PageMessage>> = {
  'not-found': { title: 'This link does not exist', text: 'Check that the URL is complete.' },
  'gone-expired': linkExpired,
  'gone-retention': linkExpired,
  'rate-limited': { title: 'Too many visits', text: 'Try again in a few minutes.' },
  'quota-exceeded': { title: 'Too many visits', text: 'The link has reached its limit of visits for now.' },
}

const defaultMessage: PageMessage = { title: 'This page is not available now', text: 'Try again in a few minutes.' }

/**
 * The HTML pages of share links. Programs, which do not accept HTML, use the share operations. The page with a script calls
 * the same operations itself; without scripts its form is posted here, and the answer is a page without one.
 */
export function registerShareRoutes(app: FastifyInstance, options: ShareRouteOptions): void {
  app.get('/share/download', (request, reply) =>
    withErrorPages(options, request, reply, async () => {
      const input = { ...(request.query as object) }
      const { url } = await callOperation<{ url: string }>({
        options,
        request,
        reply,
        operation: 'share.asset.download',
        input,
      })
      return reply.headers(privateHeaders).redirect(url, 303)
    }),
  )
  app.get(path, async (request, reply) => {
    if (!acceptsHtml(request)) return rejectProgram(request)
    return withErrorPages(options, request, reply, async () => {
      const reportRateLimits = (states: readonly RateLimitState[]): void => setRateLimitHeaders(reply, states)
      await options.readLinkState(tokenOf(request), { rateLimitKey: toIpAddressBlock(request.ip), reportRateLimits })
      return sendDocument(options, reply, createSharePasswordPage(null), null)
    })
  })
  app.post(path, async (request, reply) => {
    if (!request.headers['content-type']?.startsWith(formType)) return rejectProgram(request)
    return withErrorPages(options, request, reply, () => openLink(options, request, reply))
  })
}

/** Responds with 404 and keeps the token out of the log. */
function rejectProgram({ callLog }: FastifyRequest): never {
  callLog.set({ path: '/share' })
  throw new Problem('not-found', 'This URL is an HTML page. Programs open a link with the share operations.')
}

/** True for an error that only means that there are no tiles; the page then shows the rest. */
const isTilesUnavailable = (error: unknown): boolean =>
  error instanceof Problem && error.status < 500 && !(error.problem in messageByProblem)

const acceptsHtml = ({ headers: { accept = '' } }: FastifyRequest): boolean => /\btext\/html\b/i.test(accept)

const tokenOf = ({ params }: FastifyRequest): string => (params as { token: string }).token

/** Opens the link with the password of the form and sends its page. */
async function openLink(
  options: ShareRouteOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const token = tokenOf(request)
  const stream = getBodyStream(request)
  const form = new URLSearchParams(stream ? (await readBodyBytes(stream, max_form_bytes, null)).toString() : '')
  const password = form.get('password') ?? ''
  const call = <T>(operation: string, input: object): Promise<T> =>
    callOperation<T>({ options, request, reply, operation, input })
  const { token: session, permission } = await call<ShareSession>('share.session.create', { token, password })
  const { expires_at } = await options.readLinkState(token, null)
  const list = { token: session, limit: max_listed_items }
  const { items, total } = await call<{ items: SharedItem[]; total: number }>('share.items.list', list)
  const tiles = await call<TileJson>('share.tilejson', { token: session }).catch((error: unknown) => {
    if (isTilesUnavailable(error)) return null
    throw error
  })
  return sendPage(reply, createSharedContentPage({ session, expires_at, permission, items, total, tiles }))
}

async function callOperation<T>({
  options,
  request,
  reply,
  operation,
  input,
}: {
  readonly options: ShareRouteOptions
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly operation: string
  readonly input: object
}): Promise<T> {
  const result = await dispatchHttpCall(options, { request, reply, operation, readBody: async () => input })
  assertInvariant(result.kind === 'json', `${operation} returns JSON`)
  return result.output as T
}

/** Runs a page handler and sends problems and outages as pages. Keeps the token out of the log. */
async function withErrorPages(
  options: ShareRouteOptions,
  request: FastifyRequest,
  reply: FastifyReply,
  respond: () => Promise<FastifyReply>,
): Promise<FastifyReply> {
  request.callLog.set({ path: '/share' })
  try {
    return await respond()
  } catch (error) {
    const problem = logErrorAsProblem(request, error)
    const headers = buildProblemHeaders(problem, reply, resolveBaseUrl(request, options.baseUrl))
    reply.code(problem.status).headers(headers)
    if (problem.problem === 'forbidden' && request.method === 'POST')
      return sendPage(reply, createSharePasswordPage('The password is not correct.'))
    const { title, text } = messageByProblem[problem.problem] ?? defaultMessage
    const page = createShareMessagePage(title, text)
    if (request.method === 'POST') return sendPage(reply, page)
    const refusal = { problem: problem.problem, retry_after_s: headers['retry-after'] ?? null }
    return sendDocument(options, reply, page, refusal)
  }
}

/** Sends a page with the script that takes its place, if there is one. */
async function sendDocument(
  { documentFile }: ShareRouteOptions,
  reply: FastifyReply,
  page: SharePage,
  refusal: ShareRefusal | null,
): Promise<FastifyReply> {
  const template = documentFile === null ? null : await readBuiltPage(documentFile)
  if (template === null) return sendPage(reply, page)
  return sendHtml(reply, fillShareDocument(template, page, refusal), sharePageContentSecurityPolicy)
}

const sendPage = (reply: FastifyReply, page: SharePage): FastifyReply =>
  sendHtml(reply, renderSharePage(page), shareContentSecurityPolicy)

const sendHtml = (reply: FastifyReply, html: string, policy: string): FastifyReply =>
  reply
    .headers({ ...privateHeaders, 'content-security-policy': policy })
    .type('text/html; charset=utf-8')
    .send(html)
