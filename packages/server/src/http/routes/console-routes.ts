import { existsSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { basename, dirname, join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { randomText } from '../../platform/ids.ts'
import { escapeHtml } from '../../platform/html/escape-html.ts'
import type { BaseMapSetting } from '../../platform/setting-types.ts'
import { readBuiltPage, sendUnavailablePage } from '../pages/built-page.ts'
import { consolePathPrefixes } from './console-paths.ts'

/** First members of the addresses of the console. The page shows them; the server sends the same document for all. */
const consolePaths = [...consolePathPrefixes, 'auth/callback']

/** Addresses of the console that are routes of the API, too: the console has them for page requests of a browser. */
const sharedPaths = ['/orders', '/orders/:order_id'] as const

const pageConstraint = 'page_request'

/**
 * Distinguishes a page request of a browser from a call: it accepts HTML, and has no credentials.
 *
 * @returns true for page requests, for which a route may be registered in addition to that of calls.
 */
const isPageRequest = ({ accept = '', authorization, 'x-api-key': key }: IncomingHttpHeaders): boolean =>
  accept.includes('text/html') && !authorization && !key

/**
 * Scripts, styles and requests of this server only, nothing inline but the style elements that carry the nonce of this
 * response (React Aria adds them). Map icons in the style sheet of MapLibre are data URLs; thumbnails arrive by authorized
 * requests and are shown as blob URLs, which the map fetches to drape them. Files are uploaded to the origin of the object store, if there is one.
 */
const contentSecurityPolicy = (
  nonce: string,
  { upload, baseMaps }: { readonly upload: string | null; readonly baseMaps: readonly string[] },
): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    withOrigins("img-src 'self' blob: data:", baseMaps),
    "font-src 'self'",
    withOrigins("connect-src 'self' blob:", [upload, ...baseMaps]),
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')

const withOrigins = (directive: string, origins: readonly (string | null)[]): string =>
  [directive, ...origins.filter((origin) => origin !== null)].join(' ')

/**
 * The same for the API reference: it needs no nonce, its icons are data URLs, and its calls go to this server only.
 */
const referencePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const documentHeaders = {
  'cache-control': 'no-cache',
  'referrer-policy': 'same-origin',
}

/** The path of the page that calls operations from their description. */
export const apiExplorerPagePath = '/docs/try'

/** Placeholders in the `csp-nonce` element of the document, and in that of the base map. */
const [noncePlaceholder, basemapPlaceholder] = ['{{nonce}}', '{{basemap}}']
const nonce_letters = 24

/** Files with a hash of their content in their name. */
const hashedFolder = 'console'

export interface ConsoleRouteOptions {
  /** Returns the origin of upload URLs; null if it is that of this server. */
  readonly readUploadOrigin?: () => Promise<string | null>
  /** Backgrounds of the map besides that of the server. */
  readonly baseMaps?: readonly BaseMapSetting[]
}

/**
 * Serves the built console (`npm run build`) at `/`. Returns false, without routes, if its folder does not exist; while that is
 * empty, pages say that the console is being built.
 *
 * @param folder of the build, with `index.html`.
 */
export function registerConsoleRoutes(
  app: FastifyInstance,
  folder: string,
  { readUploadOrigin = () => Promise.resolve(null), baseMaps = [] }: ConsoleRouteOptions = {},
): boolean {
  const documentFile = join(folder, 'index.html')
  if (!existsSync(folder)) return false
  void app.register(fastifyStatic, {
    root: join(folder, hashedFolder),
    // It is missing until the console is built; the plugin would warn about that.
    suppressWarning: true,
    prefix: `/${hashedFolder}/`,
    preCompressed: true,
    immutable: true,
    maxAge: '365d',
    index: false,
  })
  registerBaseMapFiles(app, baseMaps)
  const offeredMaps = JSON.stringify(baseMaps.map(({ title, url }, at) => ({ title, url: url ?? baseMapPath(at) })))
  const origins = baseMaps.flatMap(({ url }) => (url === null ? [] : [new URL(url).origin]))
  app.get('/favicon.svg', (_request, reply) =>
    reply.header('cache-control', 'max-age=86400').sendFile('favicon.svg', folder),
  )
  app.get(apiExplorerPagePath, async (_request, reply) => {
    const page = await readBuiltPage(join(folder, 'docs.html'))
    if (page === null) return sendUnavailablePage(reply)
    return reply
      .headers({ ...documentHeaders, 'content-security-policy': referencePolicy })
      .type('text/html; charset=utf-8')
      .send(page)
  })
  const sendDocument = async (reply: FastifyReply): Promise<FastifyReply> => {
    const nonce = randomText(nonce_letters)
    const page = await readBuiltPage(documentFile)
    if (page === null) return sendUnavailablePage(reply)
    const policy = contentSecurityPolicy(nonce, { upload: await readUploadOrigin(), baseMaps: [...new Set(origins)] })
    return reply
      .headers({ ...documentHeaders, 'content-security-policy': policy })
      .type('text/html; charset=utf-8')
      .send(page.replaceAll(noncePlaceholder, nonce).replaceAll(basemapPlaceholder, () => escapeHtml(offeredMaps)))
  }
  for (const path of ['/', ...consolePaths.flatMap((first) => [`/${first}`, `/${first}/*`])].filter(isNotShared))
    app.get(path, (_request, reply) => sendDocument(reply))
  addPageConstraint(app)
  for (const path of sharedPaths)
    app.get(path, { constraints: { [pageConstraint]: true } }, (_request, reply) =>
      sendDocument(reply.header('vary', 'accept, authorization, x-api-key')),
    )
  // The console says that there is no such page, with the way back to the others.
  app.sendMissingPage = (reply) => sendDocument(reply.code(404).header('vary', 'accept'))
  return true
}

/** The path where clients read the archive of a base map that is a file of the server, by ranges. */
const baseMapPath = (at: number): string => `/base-map/files/${at}.pmtiles`

/** The files are revalidated: an operator may replace them. */
function registerBaseMapFiles(app: FastifyInstance, baseMaps: readonly BaseMapSetting[]): void {
  for (const [at, { file }] of baseMaps.entries()) {
    if (file === null) continue
    app.get(baseMapPath(at), (_request, reply) =>
      reply.type('application/vnd.pmtiles').sendFile(basename(file), dirname(file), { maxAge: 0, cacheControl: true }),
    )
  }
}

const isNotShared = (path: string): boolean => !(sharedPaths as readonly string[]).includes(path)

type RouterStore = ReturnType<Parameters<FastifyInstance['addConstraintStrategy']>[0]['storage']>

/** Calls do not match the constraint, so they reach the routes without it. */
function addPageConstraint(app: FastifyInstance): void {
  app.addConstraintStrategy({
    name: pageConstraint,
    storage: () => {
      const handlers = new Map<unknown, Parameters<RouterStore['set']>[1]>()
      return { get: (value) => handlers.get(value) ?? null, set: (value, handler) => void handlers.set(value, handler) }
    },
    deriveConstraint: ({ headers }) => (isPageRequest(headers) ? true : undefined),
    mustMatchWhenDerived: false,
  })
}
